/* The topology without hwloc, also where the program is built with it. */
#define topology_load topology_load_flat
#include "bind/topology_flat.c"
#include "tests/unit/test.h"
#include "tests/unit/fake_os.h"

static struct strand strands[] = {{0, 0, 0, STRAND_USABLE}, {1, 0, 0, STRAND_USABLE}, {6, 1, 1, STRAND_USABLE}};

static enum strand_state one_is_excluded(unsigned id)
{
	return id == 1 ? STRAND_EXCLUDED : STRAND_ISOLATED;
}

static int fake_two_packages(void **state)
{
	(void)state;
	fake_machine = (struct topology){
		.strands = strands, .count = 3, .core_count = 2, .package_count = 2, .source = "fake"};
	fake_state = one_is_excluded;
	fake_error = 0;
	return 0;
}

static void the_os_tells_strands_and_states(void **state)
{
	struct topology t;
	struct why why;
	(void)state;
	assert_int_equal(topology_load(&t, NULL, &why), 0);
	assert_true(t.is_this_host);
	assert_string_equal(t.source, "fake");
	assert_null(t.xml);
	assert_int_equal(t.count, 3);
	assert_int_equal(t.package_count, 2);
	assert_int_equal(topology_strand(&t, 6)->core, 1);
	assert_int_equal(topology_strand(&t, 1)->state, STRAND_EXCLUDED);
	assert_int_equal(topology_strand(&t, 6)->state, STRAND_ISOLATED);
	topology_free(&t);
	assert_null(t.strands);
}

static void no_other_machine_can_be_described(void **state)
{
	struct topology t;
	struct why why;
	(void)state;
	assert_int_equal(topology_load(&t, "pack:1 core:8 pu:4", &why), -ENOTSUP);
	assert_non_null(strstr(why.text, "built without hwloc, which --topology needs: install libhwloc-dev"));
	assert_null(t.strands);
}

static void an_os_that_does_not_say(void **state)
{
	struct topology t;
	struct why why;
	(void)state;
	fake_error = -ENOENT;
	assert_int_equal(topology_load(&t, NULL, &why), -ENOENT);
	assert_string_equal(why.text, "the OS does not say which strands there are: No such file or directory");
	assert_null(t.strands);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(the_os_tells_strands_and_states, fake_two_packages),
		cmocka_unit_test_setup(no_other_machine_can_be_described, fake_two_packages),
		cmocka_unit_test_setup(an_os_that_does_not_say, fake_two_packages),
	};
	return cmocka_run_group_tests_name("topology_flat", tests, NULL, NULL);
}
