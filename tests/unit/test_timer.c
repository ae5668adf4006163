/* The timer's test of itself against timers that are wrong in known ways. */
#include "tests/unit/test.h"
#include <errno.h>
#include "asm/isa.h"
#include "harness/os/os.h"
#include "harness/timer_test.h"

static struct {
	uint64_t ns;
	double counts_per_ns, asleep_counts_per_ns;
	double counts;
	uint64_t step; /* reads are rounded down to it */
	unsigned backwards_at, reads;
} clockwork;

static void pass(uint64_t ns, double counts_per_ns)
{
	clockwork.ns += ns;
	clockwork.counts += (double)ns * counts_per_ns;
}

uint64_t timer_read(void)
{
	pass(20, clockwork.counts_per_ns);
	if (++clockwork.reads == clockwork.backwards_at)
		clockwork.counts -= 1000;
	uint64_t counts = (uint64_t)clockwork.counts;
	return counts - counts % clockwork.step;
}

uint64_t os_now_ns(void)
{
	pass(30, clockwork.counts_per_ns);
	return clockwork.ns;
}

void os_sleep_ns(uint64_t ns)
{
	pass(ns, clockwork.asleep_counts_per_ns);
}

static int test(struct timer_facts *facts, struct why *why, double awake, double asleep, uint64_t step,
		unsigned backwards_at)
{
	memset(&clockwork, 0, sizeof clockwork);
	clockwork.counts = 1e6;
	clockwork.counts_per_ns = awake;
	clockwork.asleep_counts_per_ns = asleep;
	clockwork.step = step;
	clockwork.backwards_at = backwards_at;
	return timer_test(facts, why);
}

static void a_good_timer(void **state)
{
	struct timer_facts facts;
	struct why why;
	(void)state;
	assert_int_equal(test(&facts, &why, 2.5, 2.5, 1, 0), 0);
	assert_in_range(facts.hz, 2499900000, 2500100000);
	assert_int_equal(facts.cost_counts, 50);
	assert_int_equal(facts.step_counts, 50);
	assert_in_range(facts.rate_error_ppm + 20, 0, 40);
	assert_false(facts.skew_known);
}

static void a_coarse_timer_tells_its_step(void **state)
{
	struct timer_facts facts;
	struct why why;
	(void)state;
	assert_int_equal(test(&facts, &why, 0.1, 0.1, 10, 0), 0);
	assert_int_equal(facts.step_counts, 10);
	assert_in_range(facts.hz, 99900000, 100100000);
}

static void faults_are_named(void **state)
{
	static const struct {
		double awake, asleep;
		uint64_t step;
		unsigned backwards_at;
		const char *says;
	} cases[] = {
		{2.5, 2.5, 1, 500, "ran backwards by"},
		{0, 0, 1, 0, "stands still"},
		{2.5, 0, 1, 0, "changes its rate"},
		{2.5, 2.6, 1, 0, "changes its rate"},
	};
	struct timer_facts facts;
	struct why why;
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_int_equal(
			test(&facts, &why, cases[i].awake, cases[i].asleep, cases[i].step, cases[i].backwards_at),
			-EIO);
		assert_non_null(strstr(why.text, cases[i].says));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_good_timer),
		cmocka_unit_test(a_coarse_timer_tells_its_step),
		cmocka_unit_test(faults_are_named),
	};
	return cmocka_run_group_tests_name("timer", tests, NULL, NULL);
}
