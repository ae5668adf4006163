#include "bind/placement.h"
#include "bind/plan.h"
#include "bind/select.h"
#include "bind/strand_list.h"
#include "tests/unit/fake_os.h"
#include "tests/unit/test.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static const char t1[] = "pack:1 core:8 pu:4";

/* Loads a described machine and selects; the ids as a list, or the sentence of the failure. */
static const char *selected(const char *machine, const char *selector)
{
	static char text[600];
	struct topology t;
	struct strand_set set = {0};
	struct why why;
	assert_int_equal(topology_load(&t, machine, &why), 0);
	text[0] = 0;
	if (select_strands(&set, &t, selector, &why))
		snprintf(text, sizeof text, "%s", why.text);
	for (size_t i = 0; i < set.count; i++)
		snprintf(text + strlen(text), sizeof text - strlen(text), "%s%u", i ? " " : "", set.items[i]->id);
	strand_set_free(&set);
	topology_free(&t);
	return text;
}

static void a_t1_is_planned_anywhere(void **state)
{
	struct topology t;
	struct why why;
	(void)state;
	assert_int_equal(topology_load(&t, t1, &why), 0);
	assert_int_equal(t.count, 32);
	assert_int_equal(t.core_count, 8);
	assert_int_equal(t.package_count, 1);
	assert_false(t.is_this_host);
	assert_non_null(strstr(t.xml, "<topology"));
	assert_int_equal(topology_strand(&t, 5)->core, 1);
	assert_null(topology_strand(&t, 32));
	const struct strand *five = topology_strand(&t, 5);
	assert_int_equal(placement_of(five, five), PLACEMENT_SAME_STRAND);
	assert_int_equal(placement_of(five, topology_strand(&t, 4)), PLACEMENT_SAME_CORE);
	assert_int_equal(placement_of(five, topology_strand(&t, 8)), PLACEMENT_SAME_PACKAGE);
	topology_free(&t);
}

static void packages_are_told_apart(void **state)
{
	struct topology t;
	struct why why;
	(void)state;
	assert_int_equal(topology_load(&t, "pack:2 core:2 pu:2", &why), 0);
	assert_int_equal(placement_of(&t.strands[0], &t.strands[4]), PLACEMENT_OTHER_PACKAGE);
	assert_string_equal(placement_name(PLACEMENT_OTHER_PACKAGE), "other package");
	assert_string_equal(placement_name(PLACEMENT_SAME_CORE), "same core");
	topology_free(&t);
}

static void selectors(void **state)
{
	static const struct {
		const char *machine, *selector, *ids;
	} cases[] = {
		{t1, "siblings:5", "4 5 6 7"},
		{t1, "core:2", "8 9 10 11"},
		{t1, "first", "0 4 8 12 16 20 24 28"},
		{t1, "0,4-7", "0 4 5 6 7"},
		{t1, "7,4-6,5", "7 4 5 6"}, /* as named, none twice */
		{t1, "core:1,siblings:4,31", "4 5 6 7 31"},
		{"pack:2 core:1 pu:2", "package:1", "2 3"},
		{"pack:1 core:2 pu:2", "all", "0 1 2 3"},
		{"pu:3", "first", "0 1 2"}, /* no cores: each strand is its own */
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(selected(cases[i].machine, cases[i].selector), cases[i].ids);
}

static void wrong_selectors_say_what_is_there(void **state)
{
	static const struct {
		const char *selector, *sentence;
	} cases[] = {
		{"32", "there is no strand 32; strands are 0-31"},
		{"0-4294967290", "there is no strand 32; strands are 0-31"},
		{"siblings:99", "there is no strand 99; strands are 0-31"},
		{"core:9", "'core:9': there are 8 cores here, numbered from 0"},
		{"package:1", "'package:1': there are 1 packages here, numbered from 0"},
	};
	static const char *const unreadable[] = {
		"7-4", "x", "", "1,,2", "1,", "core:", "core:x", "-1", "99999999999999999999", "core:1-2"};
	char sentence[200];
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(selected(t1, cases[i].selector), cases[i].sentence);
	for (size_t i = 0; i < sizeof unreadable / sizeof *unreadable; i++) {
		snprintf(sentence, sizeof sentence, "%s", selected(t1, unreadable[i]));
		assert_non_null(strstr(sentence, "names no strands; a selector is made of: all, first, 0,4-7"));
	}
}

static enum strand_state some_states(unsigned id)
{
	static const enum strand_state states[] = {STRAND_USABLE, STRAND_ISOLATED, STRAND_MASKED, STRAND_EXCLUDED};
	return states[id % 4];
}

/* This host's strands are told what the OS says of them; hwloc and the flat fallback alike. */
static void states_decide_what_all_gives(void **state)
{
	struct strand strands[] = {{0, 0, 0, 0},
				   {1, 0, 0, 0},
				   {2, 1, 0, 0},
				   {3, 1, 0, 0},
				   {9, STRAND_NOWHERE, STRAND_NOWHERE, STRAND_OFFLINE}};
	struct topology t = {.strands = strands, .count = 5, .core_count = 2, .package_count = 1};
	struct strand_set set;
	struct why why;
	(void)state;
	for (unsigned i = 0; i < 4; i++)
		strands[i].state = some_states(i);
	assert_int_equal(select_strands(&set, &t, "all", &why), 0);
	assert_int_equal(set.count, 2);
	assert_int_equal(set.items[1]->id, 1); /* isolated is offered, masked is not */
	strand_set_free(&set);
	assert_int_equal(select_strands(&set, &t, "2,core:1", &why), 0);
	assert_int_equal(set.count, 1); /* masked when named, excluded never */
	strand_set_free(&set);
	assert_int_equal(select_strands(&set, &t, "first", &why), 0);
	assert_int_equal(set.count, 1);
	strand_set_free(&set);
	assert_int_equal(select_strands(&set, &t, "3", &why), -ENODEV);
	assert_non_null(strstr(why.text, "strand 3 is excluded (the cgroup's cpuset leaves it out"));
	assert_non_null(strstr(why.text, "strands that can be used: 0-2"));
	assert_int_equal(select_strands(&set, &t, "9", &why), -ENODEV);
	assert_non_null(strstr(why.text, "strand 9 is offline (bring it up with"));
	for (unsigned i = 0; i < 5; i++)
		strands[i].state = STRAND_EXCLUDED;
	assert_int_equal(select_strands(&set, &t, "all", &why), -ENODEV);
	assert_string_equal(why.text, "no strand can be used here; see cmtnoise topology");
}

static void this_host_asks_the_os(void **state)
{
	struct topology t;
	struct why why;
	(void)state;
	fake_state = some_states;
	assert_int_equal(topology_load(&t, NULL, &why), 0);
	assert_true(t.is_this_host);
	assert_true(t.count > 0);
	for (size_t i = 0; i < t.count; i++)
		assert_int_equal(t.strands[i].state, some_states(t.strands[i].id));
	topology_free(&t);
	fake_error = -EACCES;
	assert_int_equal(topology_load(&t, NULL, &why), -EACCES);
	assert_non_null(strstr(why.text, "the OS does not say"));
	fake_error = 0;
	fake_state = NULL;
}

static void bad_descriptions(void **state)
{
	struct topology t;
	struct why why;
	FILE *file = fopen("/tmp/cmtnoise-test.xml", "w");
	(void)state;
	fputs("<topology", file);
	fclose(file);
	assert_int_equal(topology_load(&t, "/tmp/cmtnoise-test.xml", &why), -EINVAL);
	assert_non_null(strstr(why.text, "/tmp/cmtnoise-test.xml"));
	remove("/tmp/cmtnoise-test.xml");
	assert_int_equal(topology_load(&t, "pack:one", &why), -EINVAL);
	assert_non_null(
		strstr(why.text, "'pack:one' is neither a file nor a description such as \"pack:1 core:8 pu:4\""));
}

static void no_limit_at_1024_strands(void **state)
{
	struct topology t;
	struct strand_set set;
	struct plan plan;
	struct why why;
	const struct kernel kernels[2] = {{.name = "a"}, {.name = "b"}};
	const struct kernel *const chosen[] = {&kernels[0], &kernels[1]};
	(void)state;
	assert_int_equal(topology_load(&t, "pack:8 core:64 pu:8", &why), 0);
	assert_int_equal(select_strands(&set, &t, "all", &why), 0);
	assert_int_equal(set.count, 4096);
	assert_int_equal(plan_make(&plan, &set, chosen, 2), 0);
	assert_int_equal(plan.count, 8192);
	assert_ptr_equal(plan.steps[4095].kernel, &kernels[0]); /* kernels outermost */
	assert_int_equal(plan.steps[4095].strand->id, 4095);
	assert_ptr_equal(plan.steps[4096].kernel, &kernels[1]);
	assert_int_equal(plan.steps[4096].strand->id, 0);
	plan_free(&plan);
	strand_set_free(&set);
	topology_free(&t);
}

static int collect_id(unsigned id, void *context)
{
	unsigned *ids = context;
	ids[++ids[0]] = id;
	return ids[0] == 6 ? 7 : 0;
}

static void lists_of_strands(void **state)
{
	static const char *const bad[] = {"a", "1-", "3-1", "1,", ",1", "1 2", "4294967295", "1-2-3"};
	unsigned ids[8] = {0};
	char text[12];
	(void)state;
	assert_int_equal(strand_list_parse("0,4-6", collect_id, ids), 0);
	assert_int_equal(ids[0], 4);
	assert_int_equal(ids[4], 6);
	assert_int_equal(strand_list_parse("0-4294967290", collect_id, ids), 7); /* ends when it is told to */
	assert_int_equal(strand_list_parse("", collect_id, ids), 0);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		ids[0] = 0;
		assert_int_equal(strand_list_parse(bad[i], collect_id, ids), -EINVAL);
	}
	strand_list_format(text, sizeof text, (const unsigned[]){0, 1, 2, 3, 8}, 5);
	assert_string_equal(text, "0-3,8");
	strand_list_format(text, sizeof text, (const unsigned[]){10, 12, 14, 16, 18}, 5);
	assert_string_equal(text, "10,12,14...");
	strand_list_format(text, sizeof text, NULL, 0);
	assert_string_equal(text, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_t1_is_planned_anywhere),
		cmocka_unit_test(packages_are_told_apart),
		cmocka_unit_test(selectors),
		cmocka_unit_test(wrong_selectors_say_what_is_there),
		cmocka_unit_test(states_decide_what_all_gives),
		cmocka_unit_test(this_host_asks_the_os),
		cmocka_unit_test(bad_descriptions),
		cmocka_unit_test(no_limit_at_1024_strands),
		cmocka_unit_test(lists_of_strands),
	};
	return cmocka_run_group_tests_name("bind", tests, NULL, NULL);
}
