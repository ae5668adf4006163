#include "tests/unit/machine.h"
#include <stdio.h>
#include "bind/select.h"

/* Selects; the ids as a list, or the sentence of the failure. */
static const char *selected_in(const struct topology *t, const char *selector, int expected)
{
	static char text[600];
	struct strand_set set = {0};
	struct why why = {""};
	assert_int_equal(select_strands(&set, t, selector, &why), expected);
	snprintf(text, sizeof text, "%s", why.text);
	for (size_t i = 0; i < set.count; i++)
		snprintf(text + strlen(text), sizeof text - strlen(text), "%s%u", i ? " " : "", set.items[i]->id);
	if (expected)
		assert_null(set.items);
	strand_set_free(&set);
	return text;
}

static const char *selected(const char *machine, const char *selector, int expected)
{
	struct topology t;
	load_machine(&t, machine);
	const char *text = selected_in(&t, selector, expected);
	topology_free(&t);
	return text;
}

static void selectors(void **state)
{
	static const struct {
		const char *machine, *selector, *ids;
	} cases[] = {
		{T1, "siblings:5", "4 5 6 7"},
		{T1, "core:2", "8 9 10 11"},
		{T1, "first", "0 4 8 12 16 20 24 28"},
		{T1, "0,4-7", "0 4 5 6 7"},
		{T1, "7,4-6,5", "7 4 5 6"}, /* as named, none twice */
		{T1, "core:1,siblings:4,31", "4 5 6 7 31"},
		{T1, "0-31,all",
		 "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31"},
		{"pack:2 core:1 pu:2", "package:1", "2 3"},
		{"pack:2 core:1 pu:2", "package:1,package:0", "2 3 0 1"},
		{"pack:1 core:2 pu:2", "all", "0 1 2 3"},
		{"core:2 pu:2(indexes=0,2,1,3)", "core:0", "0 2"},
		{"core:2 pu:2(indexes=0,2,1,3)", "first", "0 1"},
		{"pu:3", "first", "0 1 2"}, /* no cores: each strand is its own */
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(selected(cases[i].machine, cases[i].selector, 0), cases[i].ids);
}

static void what_is_not_there(void **state)
{
	static const struct {
		const char *machine, *selector, *sentence;
	} cases[] = {
		{"core:2 pu:4", "9", "there is no strand 9 here; strands are 0-7"},
		{"core:2 pu:4", "6-4294967290", "there is no strand 8 here; strands are 0-7"},
		{"core:1 pu:3(indexes=0,1,8)", "0-8", "there is no strand 2 here; strands are 0-1,8"},
		{T1, "siblings:99", "there is no strand 99 here; strands are 0-31"},
		{T1, "core:9", "there is no core 9 here; cores are 0-7"},
		{T1, "0,package:1", "there is no package 1 here, only package 0"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(selected(cases[i].machine, cases[i].selector, -ENODEV), cases[i].sentence);
}

static void what_cannot_be_read(void **state)
{
	static const struct {
		const char *selector, *problem;
	} cases[] = {
		{"7-4", "'7-4' is a descending range"},
		{"0,7-4", "'7-4' is a descending range"},
		{"99999999999999999999", "'99999999999999999999' is too large for a strand"},
		{"4294967295", "'4294967295' is too large for a strand"},
		{"0-4294967296", "'0-4294967296' is too large for a strand"},
		{"", "'' has an empty term"},
		{"1,,2", "'1,,2' has an empty term"},
		{"1,", "'1,' has an empty term"},
		{",1", "',1' has an empty term"},
		{"x", "'x' names no strands"},
		{"0,every", "'every' names no strands"},
		{"-1", "'-1' names no strands"},
		{"1-", "'1-' names no strands"},
		{"1-2-3", "'1-2-3' names no strands"},
		{" 1", "' 1' names no strands"},
		{"core:", "'core:' names no strands"},
		{"core:x", "'core:x' names no strands"},
		{"core:1-2", "'core:1-2' names no strands"},
		{"siblings:99999999999999999999", "'siblings:99999999999999999999' names no strands"},
	};
	static const char grammar[] = "; a selector is made of: all, first, 0,4-7, core:2, package:0, siblings:3";
	char sentence[200];
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		snprintf(sentence, sizeof sentence, "%s%s", cases[i].problem, grammar);
		assert_string_equal(selected(T1, cases[i].selector, -EINVAL), sentence);
	}
}

/* Cores: usable and isolated; masked and excluded; excluded; and an offline strand. */
static const struct strand mixed[] = {
	{0, 0, 0, STRAND_USABLE},   {1, 0, 0, STRAND_ISOLATED}, {2, 1, 0, STRAND_MASKED},
	{3, 1, 0, STRAND_EXCLUDED}, {4, 2, 0, STRAND_EXCLUDED}, {9, STRAND_NOWHERE, STRAND_NOWHERE, STRAND_OFFLINE},
};
static const struct topology mixed_machine = {
	.strands = (struct strand *)mixed, .count = 6, .core_count = 3, .package_count = 1};

static void states_decide_who_may_run(void **state)
{
	static const struct {
		const char *selector, *ids;
	} cases[] = {
		{"all", "0 1"},  /* isolated is offered, masked is not */
		{"first", "0"},  /* nor as the first of a core */
		{"2", "2"},      /* masked when it is named, ... */
		{"core:1", "2"}, /* ... also by its core; excluded never */
		{"siblings:3", "2"}, {"package:0", "0 1 2"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(selected_in(&mixed_machine, cases[i].selector, 0), cases[i].ids);
}

static void unusable_strands_are_explained(void **state)
{
	static const char excluded[] =
		"strand 4 is excluded (the cgroup's cpuset leaves it out: widen cpuset.cpus, or run outside that cgroup); "
		"strands that can be used: 0-2";
	static const char offline[] =
		"strand 9 is offline (bring it up with: echo 1 > /sys/devices/system/cpu/cpuN/online); "
		"strands that can be used: 0-2";
	(void)state;
	assert_string_equal(selected_in(&mixed_machine, "4", -ENODEV), excluded);
	assert_string_equal(selected_in(&mixed_machine, "siblings:4", -ENODEV), excluded);
	assert_string_equal(selected_in(&mixed_machine, "0,core:2", -ENODEV), excluded); /* not dropped in silence */
	assert_string_equal(selected_in(&mixed_machine, "9", -ENODEV), offline);
	assert_string_equal(selected_in(&mixed_machine, "siblings:9", -ENODEV), offline);
}

static void nothing_can_be_used(void **state)
{
	static const char nothing[] = "no strand can be used here; see cmtnoise topology";
	struct strand strands[] = {{2, 0, 0, STRAND_MASKED}, {3, 0, 0, STRAND_EXCLUDED}};
	const struct topology t = {.strands = strands, .count = 2, .core_count = 1, .package_count = 1};
	(void)state;
	assert_string_equal(selected_in(&t, "all", -ENODEV), nothing);
	assert_string_equal(selected_in(&t, "first", -ENODEV), nothing);
	assert_string_equal(selected_in(&t, "2,all", -ENODEV), nothing);
	strands[0].state = STRAND_EXCLUDED;
	assert_non_null(strstr(selected_in(&t, "3", -ENODEV), "strands that can be used: none"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(selectors),
		cmocka_unit_test(what_is_not_there),
		cmocka_unit_test(what_cannot_be_read),
		cmocka_unit_test(states_decide_who_may_run),
		cmocka_unit_test(unusable_strands_are_explained),
		cmocka_unit_test(nothing_can_be_used),
	};
	return cmocka_run_group_tests_name("select", tests, NULL, NULL);
}
