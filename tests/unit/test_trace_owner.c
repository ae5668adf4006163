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

static void a_number_that_another_program_got_is_not_the_owner(void **state)
{
	(void)state;
	put("/proc/12/comm", "cmtnoise-trace\n");
	put("/proc/13/comm", "bash\n");
	assert_true(owner_runs(12));
	assert_false(owner_runs(13));
	assert_false(owner_runs(14));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_instance_names_its_maker),
		cmocka_unit_test(instances_of_others_are_nobodys),
		ON_A_HOST(a_number_that_another_program_got_is_not_the_owner),
	};
	return cmocka_run_group_tests_name("trace owner", tests, NULL, NULL);
}
