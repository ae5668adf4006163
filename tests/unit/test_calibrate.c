/* Calibration against a machine made up here: the timer is a variable, and the kernel moves it. */
#include "tests/unit/test.h"
#include <errno.h>
#include "asm/isa.h"
#include "harness/calibrate.h"
#include "harness/measure.h"

static struct {
	uint64_t now, calls;
	double counts_per_iteration;
	double drift;                        /* growth of that a call */
	uint64_t noise_period, noise_counts; /* every so many calls take so much longer */
	uint64_t slow_calls;                 /* the first so many run at half the speed */
} machine;

uint64_t timer_read(void)
{
	machine.now += 30; /* what a stamp costs */
	return machine.now;
}

static void run(uint64_t iterations, void *operand)
{
	(void)operand;
	double slowdown = machine.calls < machine.slow_calls ? 2 : 1;
	machine.now += (uint64_t)(slowdown * machine.counts_per_iteration * (double)iterations);
	machine.counts_per_iteration *= 1 + machine.drift;
	machine.calls++;
	if (machine.noise_period && machine.calls % machine.noise_period == 0)
		machine.now += machine.noise_counts;
}

static const struct kernel kernel = {.name = "made_up", .run = run, .ops_per_iteration = 1};

enum { QUANTUM = 250000 };

static double error_of(uint64_t iterations)
{
	return ((double)iterations * machine.counts_per_iteration + 30) / QUANTUM - 1;
}

static void hits_the_quantum(void **state)
{
	static const double costs[] = {0.5, 1, 17.3, 256, 700};
	struct calibration c;
	(void)state;
	for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
		memset(&machine, 0, sizeof machine);
		machine.counts_per_iteration = costs[i];
		assert_int_equal(calibrate(&c, &kernel, NULL, QUANTUM, 0), 0);
		assert_true(c.stable);
		double turn = costs[i] / QUANTUM, most = turn / 2 > 0.001 ? turn / 2 : 0.001;
		assert_true(error_of(c.iterations) <= most + 1e-4 && error_of(c.iterations) >= -most - 1e-4);
	}
}

static void frequent_noise_does_not_move_it(void **state)
{
	struct calibration c;
	(void)state;
	for (uint64_t period = 2; period < 12; period++) {
		memset(&machine, 0, sizeof machine);
		machine.counts_per_iteration = 100;
		machine.noise_period = period;
		machine.noise_counts = QUANTUM / 3;
		assert_int_equal(calibrate(&c, &kernel, NULL, QUANTUM, 0), 0);
		assert_true(error_of(c.iterations) < 0.0015 && error_of(c.iterations) > -0.0015);
	}
}

static void a_slow_state_is_waited_out(void **state)
{
	struct calibration c;
	(void)state;
	for (uint64_t slow_calls = 0; slow_calls < 50; slow_calls += 7) {
		memset(&machine, 0, sizeof machine);
		machine.counts_per_iteration = 100;
		machine.slow_calls = slow_calls;
		assert_int_equal(calibrate(&c, &kernel, NULL, QUANTUM, 0), 0);
		assert_true(c.stable && error_of(c.iterations) < 0.0015 && error_of(c.iterations) > -0.0015);
	}
	/* With a guess that says the strand can do better, longer. */
	memset(&machine, 0, sizeof machine);
	machine.counts_per_iteration = 100;
	machine.slow_calls = 60;
	assert_int_equal(calibrate(&c, &kernel, NULL, QUANTUM, QUANTUM / 100), 0);
	assert_true(c.stable && error_of(c.iterations) < 0.0015 && error_of(c.iterations) > -0.0015);
}

static void a_good_guess_is_confirmed_at_once(void **state)
{
	struct calibration c;
	(void)state;
	memset(&machine, 0, sizeof machine);
	machine.counts_per_iteration = 100;
	assert_int_equal(calibrate(&c, &kernel, NULL, QUANTUM, QUANTUM / 100), 0);
	assert_int_equal(c.iterations, QUANTUM / 100);
	assert_int_equal(machine.calls, 16);
}

static void a_baseline_that_never_settles_is_told(void **state)
{
	struct calibration c;
	(void)state;
	memset(&machine, 0, sizeof machine);
	machine.counts_per_iteration = 100;
	machine.drift = 0.01;
	assert_int_equal(calibrate(&c, &kernel, NULL, QUANTUM, 0), 0);
	assert_false(c.stable);
	assert_true(c.iterations > 0);
	warm_up(&c, &kernel, NULL, 100);
	assert_false(c.stable);
}

static void a_turn_longer_than_the_quantum_is_refused(void **state)
{
	struct calibration c;
	(void)state;
	memset(&machine, 0, sizeof machine);
	machine.counts_per_iteration = 2 * QUANTUM;
	assert_int_equal(calibrate(&c, &kernel, NULL, QUANTUM, 0), -ERANGE);
}

static void measured_time_has_no_gap(void **state)
{
	uint64_t stamps[11];
	(void)state;
	memset(&machine, 0, sizeof machine);
	machine.counts_per_iteration = 100;
	measure(&kernel, 5, NULL, stamps, 10);
	assert_int_equal(machine.calls, 10);
	assert_int_equal(stamps[10], machine.now);
	for (unsigned i = 0; i < 10; i++)
		assert_int_equal(stamps[i + 1] - stamps[i], 530);
}

static void the_low_quantile_ignores_disturbed_repetitions(void **state)
{
	uint64_t stamps[1001] = {0};
	(void)state;
	for (unsigned i = 0; i < 1000; i++)
		stamps[i + 1] = stamps[i] + (i % 2 ? 5000 : 1000);
	assert_int_equal(low_quantile_counts(stamps, 1000), 1000);
	assert_int_equal(low_quantile_counts(stamps, 3), 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hits_the_quantum),
		cmocka_unit_test(frequent_noise_does_not_move_it),
		cmocka_unit_test(a_slow_state_is_waited_out),
		cmocka_unit_test(a_good_guess_is_confirmed_at_once),
		cmocka_unit_test(a_baseline_that_never_settles_is_told),
		cmocka_unit_test(a_turn_longer_than_the_quantum_is_refused),
		cmocka_unit_test(measured_time_has_no_gap),
		cmocka_unit_test(the_low_quantile_ignores_disturbed_repetitions),
	};
	return cmocka_run_group_tests_name("calibrate", tests, NULL, NULL);
}
