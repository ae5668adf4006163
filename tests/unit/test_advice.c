/* What tick configurations are advised for strands that are to be quiet, by what is in force already. */
#define _GNU_SOURCE
#include "tests/unit/linux_host.h"
#include <errno.h>
#include "bind/topology.h"
#include "domains/tick/advice.h"
#include "harness/json.h"
#include "harness/quiet.h"

static const unsigned one[] = {0}, four[] = {0, 1, 2, 3}, last_two[] = {2, 3}, first_and_last[] = {0, 3},
		      high[] = {5, 9};

static const struct tick_strands on_last_two = {last_two, four, 2, 4};

static const struct tick_file stopped = {
	.name = "stopped",
	.description = "",
	.config = "NO_HZ_FULL=y NO_HZ_IDLE=n",
	.parameters = "nohz_full={strands} irqaffinity={others}",
	.settings = "/proc/x=1 /proc/y={strands}",
	.expect = "mode=nohz-full nohz_full={strands} irq_affinity={others}",
	.advice = "stops it",
};

static const struct tick_configuration in_force = {.mode = "nohz-full", .nohz_full = "1-3", .irq_affinity = "0"};

static void what_is_not_in_force_is_advised(void **state)
{
	struct tick_configuration tick = {.mode = "nohz-idle", .irq_affinity = "0-3"};
	struct tick_advice a;
	(void)state;
	assert_int_equal(tick_advise(&a, &stopped, &tick, &on_last_two), 0);
	assert_int_equal(a.state, TICK_ADVISED);
	assert_string_equal(a.parameters, "nohz_full=2-3 irqaffinity=0-1");
	assert_string_equal(a.settings, "/proc/x=1 /proc/y=2-3");
	assert_string_equal(a.config,
			    "CONFIG_NO_HZ_FULL=y"); /* what must not be built in only matters without parameters */
	assert_string_equal(a.missing, "mode is nohz-idle, not nohz-full; nohz_full is not told, not 2-3; "
				       "irq_affinity is 0-3, not 0-1");
	assert_string_equal(a.reason, "");
	tick_advice_free(&a);
}

static void expect_state(const struct tick_configuration *tick, const struct tick_strands *strands,
			 enum tick_state state, const char *reason)
{
	struct tick_advice a;
	assert_int_equal(tick_advise(&a, &stopped, tick, strands), 0);
	if (a.state != state || strcmp(a.reason, reason))
		fail_msg("state %d, '%s', missing '%s'", a.state, a.reason, a.missing);
	if (state != TICK_ADVISED) {
		assert_string_equal(a.missing, "");
		assert_null(a.parameters);
	}
	tick_advice_free(&a);
}

/* More strands may have no tick, and fewer may take interrupts, than was asked for. */
static void what_is_in_force_is_not(void **state)
{
	struct tick_configuration tick = in_force;
	(void)state;
	expect_state(&tick, &on_last_two, TICK_IN_FORCE, "");
	strcpy(tick.nohz_full, "1-2");
	expect_state(&tick, &on_last_two, TICK_ADVISED, "");
	strcpy(tick.nohz_full, "1,2..."); /* cut: nothing is known of the rest */
	expect_state(&tick, &on_last_two, TICK_ADVISED, "");
	tick = in_force;
	strcpy(tick.irq_affinity, "0,2");
	expect_state(&tick, &on_last_two, TICK_ADVISED, "");
	tick = in_force;
	strcpy(tick.mode, "periodic");
	expect_state(&tick, &on_last_two, TICK_ADVISED, "");
}

static void the_boot_strand_is_left_out(void **state)
{
	const struct tick_strands both = {first_and_last, four, 2, 4}, boot = {one, four, 1, 4};
	struct tick_configuration tick = {0};
	struct tick_advice a;
	(void)state;
	expect_state(&tick, &boot, TICK_NOT_HERE,
		     "strand 0 is the boot strand, which keeps the time: it cannot be in nohz_full");
	assert_int_equal(tick_advise(&a, &stopped, &tick, &both), 0);
	assert_string_equal(a.parameters, "nohz_full=3 irqaffinity=0-2");
	assert_non_null(strstr(a.reason, "for strands 3: strand 0 is the boot strand"));
	tick_advice_free(&a);
	expect_state(&in_force, &both, TICK_IN_FORCE,
		     "for strands 3: strand 0 is the boot strand, which keeps the time: it cannot be in nohz_full");
}

static void there_must_be_strands_for_the_rest(void **state)
{
	const struct tick_strands alone = {one, one, 1, 1}, all = {high, high, 2, 2};
	struct tick_configuration tick = {0};
	(void)state;
	expect_state(&tick, &alone, TICK_NOT_HERE,
		     "there is one strand: what is kept away from it would have nowhere to go");
	expect_state(&tick, &all, TICK_NOT_HERE, "it leaves no strand for everything else: ask for fewer");
}

static void what_is_of_no_strand_can_be_had_everywhere(void **state)
{
	const struct tick_file slow = {"slow", "", "HZ=100 HZ_250=n", "", "", "hz=100", "fewer"},
			       untold = {"untold", "", "", "x=1", "", "", "something"},
			       strange = {"strange", "", "", "x=1", "", "colour=red skew_tick", "something"};
	const struct tick_strands alone = {one, one, 1, 1};
	struct tick_configuration tick = {.hz = 250, .skew_tick = TICK_YES};
	struct tick_advice a;
	(void)state;
	assert_int_equal(tick_advise(&a, &slow, &tick, &alone), 0);
	assert_string_equal(a.config, "CONFIG_HZ=100 CONFIG_HZ_250=n");
	assert_string_equal(a.missing, "hz is 250, not 100");
	tick_advice_free(&a);
	tick.hz = 100;
	assert_int_equal(tick_advise(&a, &slow, &tick, &alone), 0);
	assert_int_equal(a.state, TICK_IN_FORCE);
	tick_advice_free(&a);
	assert_int_equal(tick_advise(&a, &untold, &tick, &alone), 0);
	assert_int_equal(a.state, TICK_ADVISED);
	assert_string_equal(a.missing, "what is in force is not told");
	tick_advice_free(&a);
	assert_int_equal(tick_advise(&a, &strange, &tick, &alone), 0);
	assert_string_equal(a.missing, "colour is not told, not red; skew_tick is true, not ");
	tick_advice_free(&a);
}

static void ticks_of_one_strand_meet_no_others(void **state)
{
	const struct tick_file skew = {"skew", "", "", "skew_tick=1", "", "skew_tick=true", "apart"};
	const struct tick_strands alone = {one, one, 1, 1}, boot = {one, four, 1, 4};
	struct tick_configuration tick = {0};
	struct tick_advice a;
	(void)state;
	assert_int_equal(tick_advise(&a, &skew, &tick, &alone), 0);
	assert_int_equal(a.state, TICK_NOT_HERE);
	assert_string_equal(a.reason, "there is one strand: none ticks beside it");
	tick_advice_free(&a);
	assert_int_equal(tick_advise(&a, &skew, &tick, &boot), 0);
	assert_int_equal(a.state, TICK_ADVISED);
	tick_advice_free(&a);
	strcpy(tick.nohz_full, "1-2");
	assert_int_equal(tick_advise(&a, &skew, &tick, &boot), 0);
	assert_int_equal(a.state, TICK_ADVISED);
	tick_advice_free(&a);
	strcpy(tick.nohz_full, "1-3");
	assert_int_equal(tick_advise(&a, &skew, &tick, &boot), 0);
	assert_int_equal(a.state, TICK_NOT_HERE);
	assert_string_equal(a.reason, "at most one strand ticks: the others are in nohz_full");
	tick_advice_free(&a);
	tick.skew_tick = TICK_YES;
	assert_int_equal(tick_advise(&a, &skew, &tick, &boot), 0);
	assert_int_equal(a.state, TICK_IN_FORCE);
	tick_advice_free(&a);
}

/* Every member is there by its name in run.json. */
static void words_of_facts(void **state)
{
	struct tick_configuration tick = {.hz = 250, .tuned_profile = "quiet one", .high_resolution = TICK_NO};
	char word[64];
	(void)state;
	assert_true(tick_word(&tick, "hz", word, sizeof word));
	assert_string_equal(word, "250");
	assert_true(tick_word(&tick, "tuned_profile", word, sizeof word));
	assert_string_equal(word, "quiet one");
	assert_true(tick_word(&tick, "high_resolution", word, sizeof word));
	assert_string_equal(word, "false");
	assert_false(tick_word(&tick, "threadirqs", word, sizeof word));
	assert_false(tick_word(&tick, "mode", word, sizeof word));
	assert_false(tick_word(&tick, "none-such", word, sizeof word));
}

static struct strand strands[] = {
	{0, 0, 0, STRAND_USABLE}, {1, 1, 0, STRAND_USABLE}, {2, 2, 0, STRAND_ISOLATED}, {7, 3, 0, STRAND_OFFLINE}};
static const struct topology machine = {.strands = strands, .count = 4, .core_count = 4, .package_count = 1};

/* The files that come with cmtnoise, on a host that has part of what nohz-full wants. */
static void the_files_on_a_host(void **state)
{
	struct collected c;
	struct quiet q;
	struct json j;
	struct why why;
	(void)state;
	put("/proc/cmdline", "skew_tick=1 nohz_full=1-2\n");
	put("/sys/devices/system/cpu/nohz_full", "1-2\n");
	assert_int_equal(quiet_find(&q, &machine, "2,1", &why), 0);
	collect_begin(&c);
	json_init(&j, &c.text);
	json_object(&j, NULL);
	quiet_json(&j, &q);
	json_end_object(&j);
	assert_int_equal(text_finish(&c.text), 0);
	assert_non_null(strstr(c.bytes, "\"strands\": \"1-2\""));
	assert_non_null(strstr(c.bytes, "\"parameters\": \"nohz_full=1-2 isolcpus=managed_irq,domain,1-2 rcu_nocbs=1-2 "
					"irqaffinity=0\""));
	assert_non_null(strstr(c.bytes, "\"now\": \"isolated is not told, not 1-2; rcu_nocbs is not told, not 1-2; "
					"irq_affinity is not told, not 0\""));
	const char *skew = strstr(c.bytes, "\"skew-tick\"");
	assert_non_null(skew);
	assert_non_null(strstr(skew, "\"state\": \"in force\""));
	assert_null(strstr(c.bytes, "\"hz1000\"")); /* nothing for a strand that is to be quiet */
	quiet_free(&q);
}

static void strands_that_are_not_there(void **state)
{
	struct quiet q;
	struct why why;
	(void)state;
	assert_int_equal(quiet_find(&q, &machine, "4", &why), -ENODEV);
	assert_non_null(strstr(why.text, "there is no strand 4 here"));
	quiet_free(&q);
	assert_int_equal(quiet_find(&q, &machine, "banana", &why), -EINVAL);
	quiet_free(&q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_not_in_force_is_advised),
		cmocka_unit_test(what_is_in_force_is_not),
		cmocka_unit_test(the_boot_strand_is_left_out),
		cmocka_unit_test(there_must_be_strands_for_the_rest),
		cmocka_unit_test(what_is_of_no_strand_can_be_had_everywhere),
		cmocka_unit_test(ticks_of_one_strand_meet_no_others),
		cmocka_unit_test(words_of_facts),
		ON_A_HOST(the_files_on_a_host),
		cmocka_unit_test(strands_that_are_not_there),
	};
	return cmocka_run_group_tests_name("advice", tests, NULL, NULL);
}
