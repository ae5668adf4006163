#include "tests/unit/test.h"
#include "harness/trace/clock.h"

static const uint64_t ORIGIN = 5000000000000000; /* weeks of a TSC */

static uint64_t now_counts, reads;

/* A timer of 2.5 counts a nanosecond; one of the readings of the clock is quicker than the others. */
static uint64_t timer(void)
{
	return now_counts += 10;
}

static uint64_t clock_ns(void)
{
	uint64_t half = ++reads == 7 ? 20 : 100 + 13 * reads;
	now_counts += half;
	uint64_t ns = (now_counts - ORIGIN) * 2 / 5;
	now_counts += half;
	return ns;
}

static void the_tightest_pair_is_kept(void **state)
{
	(void)state;
	now_counts = ORIGIN;
	reads = 0;
	struct clock_pair pair = clock_pair_take(timer, clock_ns);
	assert_int_equal(pair.error_counts, 25); /* 20 + 20 + the second reading's 10, halved */
	int64_t off = (int64_t)(pair.counts - ORIGIN) - (int64_t)(pair.clock_ns * 5 / 2);
	assert_in_range(off + 25, 0, 50);
}

static void stamps_lie_on_the_line_through_both_pairs(void **state)
{
	const struct clock_pair before = {1000000000, ORIGIN, 0}, after = {2000000000, ORIGIN + 2445400000, 0};
	(void)state;
	assert_int_equal(clock_to_counts(&before, &after, 1000000000, ORIGIN), 0);
	assert_int_equal(clock_to_counts(&before, &after, 2000000000, ORIGIN), 2445400000);
	assert_int_equal(clock_to_counts(&before, &after, 1500000000, ORIGIN), 1222700000);
	assert_int_equal(clock_to_counts(&before, &after, 1000000001, ORIGIN), 2);
	assert_int_equal(clock_to_counts(&before, &after, 999999000, ORIGIN), -2445);
	assert_int_equal(clock_to_counts(&before, &after, 2000001000, ORIGIN), 2445402445);
	assert_int_equal(clock_to_counts(&before, &after, 1000000000, ORIGIN + 300), -300);
}

/* A record of an hour: differences still fit a double to a fraction of a count. */
static void long_records_keep_their_precision(void **state)
{
	const uint64_t hour_ns = 3600000000000, hour_counts = 8803440000000;
	const struct clock_pair before = {1795239012000000000, ORIGIN, 0},
				after = {before.clock_ns + hour_ns, ORIGIN + hour_counts, 0};
	(void)state;
	assert_int_equal(clock_to_counts(&before, &after, before.clock_ns + hour_ns / 2, ORIGIN), hour_counts / 2);
	assert_int_equal(clock_to_counts(&before, &after, after.clock_ns - 1000000, ORIGIN), hour_counts - 2445400);
}

static void pairs_of_one_moment_do_not_divide_by_zero(void **state)
{
	const struct clock_pair pair = {500, ORIGIN, 3};
	(void)state;
	assert_int_equal(clock_to_counts(&pair, &pair, 700, ORIGIN - 9), 9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_tightest_pair_is_kept),
		cmocka_unit_test(stamps_lie_on_the_line_through_both_pairs),
		cmocka_unit_test(long_records_keep_their_precision),
		cmocka_unit_test(pairs_of_one_moment_do_not_divide_by_zero),
	};
	return cmocka_run_group_tests_name("trace clock", tests, NULL, NULL);
}
