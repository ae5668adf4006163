#include "tests/unit/test.h"
#include <errno.h>
#include <stdio.h>
#include "harness/options.h"

static int parse(struct settings *settings, struct why *why, unsigned command, const char *arguments)
{
	static char copy[256];
	char *argv[16];
	int argc = 0;
	snprintf(copy, sizeof copy, "%s", arguments);
	for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	argv[argc] = NULL;
	return options_parse(settings, command, argc, argv, why);
}

static void defaults(void **state)
{
	struct settings s;
	struct why why;
	(void)state;
	assert_int_equal(parse(&s, &why, ON_SWEEP, ""), 0);
	assert_int_equal(s.repetitions, 1000);
	assert_int_equal(s.quantum_ns, 100000);
	assert_int_equal(s.iterations, 0);
	assert_null(s.strands);
	assert_false(s.realtime);
}

static void every_spelling(void **state)
{
	static const char *const spellings[] = {"--reps 7 --quantum 2ms", "--reps=7 --quantum=2ms", "-r 7 -q 2ms",
						"-r7 -q2ms"};
	struct settings s;
	struct why why;
	(void)state;
	for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
		assert_int_equal(parse(&s, &why, ON_RUN, spellings[i]), 0);
		assert_int_equal(s.repetitions, 7);
		assert_int_equal(s.quantum_ns, 2000000);
	}
	assert_int_equal(parse(&s, &why, ON_RUN, "-o -"), 0);
	assert_string_equal(s.output, "-");
}

static void wrong_usage_is_explained(void **state)
{
	static const struct {
		unsigned command;
		const char *arguments, *sentence;
	} cases[] = {
		{ON_RUN, "--reps 0", "--reps wants a whole number from 1, such as 1000; got '0'"},
		{ON_RUN, "--reps -5", "--reps wants a whole number from 1, such as 1000; got '-5'"},
		{ON_RUN, "--reps 1e6", "--reps wants a whole number from 1, such as 1000; got '1e6'"},
		{ON_RUN, "--reps 99999999999999999999",
		 "--reps wants a whole number from 1, such as 1000; got '99999999999999999999'"},
		{ON_RUN, "--quantum 0us",
		 "--quantum wants a time above 0 with its unit, such as 100us (ns, us, ms, s); got '0us'"},
		{ON_RUN, "--quantum -1us",
		 "--quantum wants a time above 0 with its unit, such as 100us (ns, us, ms, s); got '-1us'"},
		{ON_RUN, "--quantum 100",
		 "--quantum wants a time above 0 with its unit, such as 100us (ns, us, ms, s); got '100'"},
		{ON_RUN, "--quantum 99999999999999s",
		 "--quantum wants a time above 0 with its unit, such as 100us (ns, us, ms, s); got '99999999999999s'"},
		{ON_RUN, "--reps", "--reps wants a value: N"},
		{ON_RUN, "--output=", "--output wants a value: FILE"},
		{ON_RUN, "--realtime=9", "--realtime takes no value"},
		{ON_RUN, "--together", "unknown option '--together'"}, /* sweep's alone */
		{ON_SWEEP, "--frobnicate", "unknown option '--frobnicate'"},
		{ON_SWEEP, "-z", "unknown option '-z'"},
		{ON_SWEEP, "stray", "unexpected argument 'stray'"},
	};
	struct settings s;
	struct why why;
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_int_equal(parse(&s, &why, cases[i].command, cases[i].arguments), -EINVAL);
		assert_string_equal(why.text, cases[i].sentence);
	}
}

/* An option is found by one name and one letter only. */
static void the_table_is_unambiguous(void **state)
{
	(void)state;
	for (size_t i = 0; i < option_count; i++) {
		assert_true(options[i].commands && options[i].help && *options[i].help);
		assert_true((options[i].argument != NULL) == (options[i].kind != OPTION_FLAG));
		for (size_t k = 0; k < i; k++) {
			if (!(options[i].commands & options[k].commands))
				continue;
			assert_string_not_equal(options[i].name, options[k].name);
			assert_true(!options[i].letter || options[i].letter != options[k].letter);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults),
		cmocka_unit_test(every_spelling),
		cmocka_unit_test(wrong_usage_is_explained),
		cmocka_unit_test(the_table_is_unambiguous),
	};
	return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
