/* The static-thread runtime in turns, with the thread map of a machine of 32 strands: its start-up, stacks and order. */
#include "tests/unit/bare_machine.h"

const struct bare_config bare_config = {
	.repetitions = 4, .quantum_ns = 20000, .iterations = 50, .timer_hz = 1000000000, .label = "", .host = "t1"};

static const char *const two[] = {"add", "vfma"}, *const one[] = {"mul"};
static _Alignas(64) unsigned char stacks[STRANDS][64];

/* Strand 17 is idle. */
#define THREAD(n) {n, (n) == 3 ? two : one, (n) == 3 ? 2 : 1, stacks[n] + 64}
#define FOUR(n) THREAD(n), THREAD(n + 1), THREAD(n + 2), THREAD(n + 3)
const struct bare_thread bare_threads[] = {FOUR(0),    FOUR(4),    FOUR(8),  FOUR(12), THREAD(16),
					   THREAD(18), THREAD(19), FOUR(20), FOUR(24), FOUR(28)};
const size_t bare_thread_count = sizeof bare_threads / sizeof *bare_threads;

static void every_strand_runs_its_thread_in_turn(void **state)
{
	(void)state;
	boot(0, NOBODY);
	assert_non_null(next_line(fake->console, "@cmtnoise-bare: 1\n"));
	assert_non_null(next_line(fake->console, "@strand: 31 7 0\n"));
	assert_non_null(next_line(fake->console, "@end: ok\n"));
	assert_false(fake->failed);
	assert_int_equal(fake->start_count, bare_thread_count - 1);
	assert_null(fake->stacks[17]);
	for (size_t i = 1; i < bare_thread_count; i++) {
		assert_int_equal(fake->started[i - 1], bare_threads[i].strand);
		assert_ptr_equal(fake->stacks[bare_threads[i].strand], bare_threads[i].stack_top);
	}
	check_records();
	const char *line = fake->console;
	for (size_t i = 0; i < bare_thread_count; i++, line++) {
		char wanted[64];
		snprintf(wanted, sizeof wanted, "@record: %u %s ", bare_threads[i].strand, bare_threads[i].kernels[0]);
		line = next_line(line, wanted);
		assert_non_null(line); /* behind the one before */
	}
}

static void a_thread_on_the_boot_strand_is_first(void **state)
{
	(void)state;
	boot(21, NOBODY);
	assert_true(!strncmp(next_line(fake->console, "@begin: "), "@begin: 21 mul\n", 15));
	assert_int_equal(fake->started[0], 0);
	assert_int_equal(count_lines("@record: 21 "), 1);
	assert_non_null(next_line(fake->console, "@end: ok\n"));
}

static void a_boot_strand_without_a_thread_only_starts_the_first(void **state)
{
	(void)state;
	boot(17, NOBODY);
	assert_int_equal(fake->start_count, bare_thread_count);
	assert_int_equal(count_lines("@record: "), count_lines("@begin: "));
	assert_non_null(next_line(fake->console, "@end: ok\n"));
}

static void a_strand_that_does_not_start_is_told_and_passed_over(void **state)
{
	(void)state;
	boot(0, 9);
	assert_non_null(next_line(fake->console, "@failed: 9 - there is no such strand"));
	assert_int_equal(count_lines("@record: 9 "), 0);
	assert_int_equal(count_lines("@record: 10 "), 1);
	assert_int_equal(count_lines("@record: 31 "), 1);
	assert_non_null(next_line(fake->console, "@end: failed not every record could be measured\n"));
	assert_true(fake->failed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_strand_runs_its_thread_in_turn),
		cmocka_unit_test(a_thread_on_the_boot_strand_is_first),
		cmocka_unit_test(a_boot_strand_without_a_thread_only_starts_the_first),
		cmocka_unit_test(a_strand_that_does_not_start_is_told_and_passed_over),
	};
	return cmocka_run_group_tests_name("the bare runtime in turns", tests, NULL, NULL);
}
