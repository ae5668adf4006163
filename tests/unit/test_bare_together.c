/* The static-thread runtime with all threads at once, on a machine that the test plays. */
#include "tests/unit/bare_machine.h"

const struct bare_config bare_config = {.repetitions = 4,
					.quantum_ns = 100000,
					.together = true,
					.timer_hz = 1000000000,
					.label = "emulated",
					.host = "t1"};

static const char *const two[] = {"add", "nop"}, *const one[] = {"mul"};
static _Alignas(64) unsigned char stacks[3][64];

/* The second thread has a kernel more than the others. */
const struct bare_thread bare_threads[] = {
	{1, one, 1, stacks[0] + 64}, {2, two, 2, stacks[1] + 64}, {6, one, 1, stacks[2] + 64}};
const size_t bare_thread_count = 3;

/* The first stamp and the last one of a strand's record. */
static void span(const char *record, uint64_t *first, uint64_t *last)
{
	char line[64];
	unsigned long long start, duration;
	snprintf(line, sizeof line, "@record: %s ", record);
	const char *at = next_line(fake->console, line);
	assert_non_null(at);
	assert_int_equal(sscanf(next_line(at, "# first_stamp_counts: "), "# first_stamp_counts: %llu", &start), 1);
	*first = *last = start;
	at = next_line(at, "start_counts");
	for (unsigned i = 0; i < bare_config.repetitions; i++) {
		at = strchr(at, '\n') + 1;
		assert_int_equal(sscanf(at, "%*u %llu", &duration), 1);
		*last += duration;
	}
}

static void all_strands_measure_at_once(void **state)
{
	uint64_t first[3], last[3];
	(void)state;
	boot(1, NOBODY);
	assert_non_null(next_line(fake->console, "@end: ok\n"));
	check_records();
	assert_int_equal(count_lines("@record: "), 4);
	span("1 mul", &first[0], &last[0]);
	span("2 add", &first[1], &last[1]);
	span("6 mul", &first[2], &last[2]);
	/* Whatever the host's scheduler does with three threads: none begins before all were calibrated and have met, so no
	 * record lies wholly before the first stamp of a calibration, which the next phase would be. */
	uint64_t next_first, next_last;
	span("2 nop", &next_first, &next_last);
	for (unsigned i = 0; i < 3; i++)
		assert_true(last[i] < next_first);
}

static void a_boot_strand_without_a_thread_waits(void **state)
{
	(void)state;
	boot(0, NOBODY);
	assert_int_equal(fake->start_count, 3);
	assert_int_equal(count_lines("@record: "), 4);
	assert_non_null(next_line(fake->console, "@end: ok\n"));
}

static void nothing_is_measured_when_a_strand_does_not_start(void **state)
{
	(void)state;
	boot(1, 6);
	assert_int_equal(count_lines("@record: "), 0);
	assert_non_null(next_line(fake->console, "@end: failed not every strand started\n"));
	assert_true(fake->failed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_strands_measure_at_once),
		cmocka_unit_test(a_boot_strand_without_a_thread_waits),
		cmocka_unit_test(nothing_is_measured_when_a_strand_does_not_start),
	};
	return cmocka_run_group_tests_name("the bare runtime, all at once", tests, NULL, NULL);
}
