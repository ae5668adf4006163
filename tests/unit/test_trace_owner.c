#define _GNU_SOURCE
#include "tests/unit/linux_host.h"
#include "harness/trace/owner.h"

static void an_instance_names_its_maker(void **state)
{
	char name[32];
	(void)state;
	owner_instance_name(name, sizeof name, 4711);
	assert_string_equal(name, "cmtnoise-4711");
	assert_int_equal(owner_of(name), 4711);
}

static void instances_of_others_are_nobodys(void **state)
{
	static const char *const names[] = {"",
					    "foo",
					    "cmtnoise",
					    "cmtnoise-",
					    "cmtnoise-x",
					    "cmtnoise-12x",
					    "cmtnoise--3",
					    "cmtnoise- 3",
					    "cmtnoise-0",
					    "cmtnoise-007",
					    "xcmtnoise-12",
					    "cmtnoise-99999999999999999999",
					    "cmtnoise-2147483648"};
	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_int_equal(owner_of(names[i]), 0);
}

static void another_program_and_a_dead_one_are_not_the_owner(void **state)
{
	(void)state;
	put("/proc/12/stat", "12 (cmtnoise-trace) S 1 12 12 0\n");
	put("/proc/13/stat", "13 (bash) S 1 13 13 0\n");
	put("/proc/14/stat", "14 (cmtnoise-trace) Z 1 12 12 0\n");
	put("/proc/15/stat", "15 (cmtnoise-trace");
	put("/proc/16/stat", "16 (cmtnoise-trace)");
	assert_true(owner_runs(12));
	for (int pid = 13; pid <= 17; pid++)
		assert_false(owner_runs(pid));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_instance_names_its_maker),
		cmocka_unit_test(instances_of_others_are_nobodys),
		ON_A_HOST(another_program_and_a_dead_one_are_not_the_owner),
	};
	return cmocka_run_group_tests_name("trace owner", tests, NULL, NULL);
}
