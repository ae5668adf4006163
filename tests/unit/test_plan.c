#include "tests/unit/machine.h"
#include <errno.h>
#include <time.h>
#include "bind/plan.h"

static const struct kernel a = {.name = "a"}, b = {.name = "b"};
static const struct kernel *const kernels[] = {&a, &b};

static void kernels_are_the_outer_loop(void **state)
{
	struct strand strands[] = {{0, 0, 0, STRAND_USABLE}, {1, 0, 0, STRAND_USABLE}};
	const struct strand *chosen[] = {&strands[1], &strands[0]};
	const struct strand_set set = {chosen, 2};
	struct plan plan;
	(void)state;
	assert_int_equal(plan_make(&plan, &set, kernels, 2, 1), 0);
	assert_int_equal(plan.count, 4);
	for (size_t i = 0; i < plan.count; i++) {
		assert_ptr_equal(plan.steps[i].kernel, kernels[i / 2]);
		assert_ptr_equal(plan.steps[i].strand, chosen[i % 2]); /* as named */
	}
	plan_free(&plan);
	assert_null(plan.steps);
	assert_int_equal(plan.count, 0);
}

static void rounds_are_outermost(void **state)
{
	struct strand strands[] = {{0, 0, 0, STRAND_USABLE}, {1, 0, 0, STRAND_USABLE}};
	const struct strand *chosen[] = {&strands[0], &strands[1]};
	const struct strand_set set = {chosen, 2};
	struct plan plan;
	(void)state;
	assert_int_equal(plan_make(&plan, &set, kernels, 2, 3), 0);
	assert_int_equal(plan.count, 12);
	for (size_t i = 0; i < plan.count; i++) {
		assert_int_equal(plan.steps[i].round, 1 + i / 4);
		assert_ptr_equal(plan.steps[i].kernel, kernels[i / 2 % 2]);
		assert_ptr_equal(plan.steps[i].strand, chosen[i % 2]);
	}
	plan_free(&plan);
	assert_int_equal(plan_make(&plan, &set, kernels, 2, UINT64_MAX / 2), -ENOMEM);
}

static void nothing_to_do_is_a_plan(void **state)
{
	const struct strand_set none = {NULL, 0};
	struct plan plan;
	(void)state;
	assert_int_equal(plan_make(&plan, &none, kernels, 2, 1), 0);
	assert_int_equal(plan.count, 0);
	plan_free(&plan);
}

static void no_limit_at_1024_strands(void **state)
{
	struct topology t;
	struct strand_set set;
	struct plan plan;
	struct why why;
	(void)state;
	clock_t before = clock();
	load_machine(&t, "pack:8 core:64 pu:8");
	assert_int_equal(select_strands(&set, &t, "0-4095,all", &why), 0);
	assert_int_equal(set.count, 4096);
	assert_int_equal(plan_make(&plan, &set, kernels, 2, 1), 0);
	assert_true(clock() - before < CLOCKS_PER_SEC);
	assert_int_equal(plan.count, 8192);
	assert_ptr_equal(plan.steps[4095].kernel, &a);
	assert_int_equal(plan.steps[4095].strand->id, 4095);
	assert_int_equal(plan.steps[4095].strand->core, 511);
	assert_int_equal(plan.steps[4095].strand->package, 7);
	assert_ptr_equal(plan.steps[4096].kernel, &b);
	assert_int_equal(plan.steps[4096].strand->id, 0);
	plan_free(&plan);
	strand_set_free(&set);
	topology_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernels_are_the_outer_loop),
		cmocka_unit_test(rounds_are_outermost),
		cmocka_unit_test(nothing_to_do_is_a_plan),
		cmocka_unit_test(no_limit_at_1024_strands),
	};
	return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
