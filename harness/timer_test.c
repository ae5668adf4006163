#include "harness/timer_test.h"
#include <errno.h>
#include "asm/isa.h"
#include "harness/os/os.h"

enum { READS = 1001, CLOCK_TRIES = 15 };

static const uint64_t WINDOW_NS = 10000000;
static const int64_t RATE_ERROR_MOST_PPM = 500;

/* The counter and the OS clock at one instant. */
struct instant {
	uint64_t counts, ns;
};

/* The try with the least time between the two reads of the counter: there the clock was read nearest to their middle. */
static struct instant now(void)
{
	struct instant best = {0, 0};
	uint64_t least = UINT64_MAX;
	for (unsigned i = 0; i < CLOCK_TRIES; i++) {
		uint64_t before = timer_read(), ns = os_now_ns(), width = timer_read() - before;
		if (width < least) {
			least = width;
			best = (struct instant){before + width / 2, ns};
		}
	}
	return best;
}

static double rate_hz(struct instant from, struct instant to)
{
	return to.ns > from.ns ? (double)(to.counts - from.counts) * 1e9 / (double)(to.ns - from.ns) : 0;
}

/* Partial selection sort up to the middle; the values are few and this runs once. */
static uint64_t median(uint64_t *values, size_t count)
{
	for (size_t at = 0; at <= count / 2; at++)
		for (size_t i = at + 1; i < count; i++)
			if (values[i] < values[at]) {
				uint64_t swap = values[i];
				values[i] = values[at];
				values[at] = swap;
			}
	return values[count / 2];
}

int timer_test_steps(struct timer_facts *facts, struct why *why)
{
	uint64_t differences[READS], last = timer_read();
	*facts = (struct timer_facts){0};
	facts->step_counts = UINT64_MAX;
	for (unsigned i = 0; i < READS; i++) {
		uint64_t read = timer_read();
		if (read < last)
			return why_set(why, -EIO, "the timer (%s) ran backwards by %llu counts", isa_timer_name,
				       (unsigned long long)(last - read));
		differences[i] = read - last;
		if (read != last && read - last < facts->step_counts)
			facts->step_counts = read - last;
		last = read;
	}
	if (facts->step_counts == UINT64_MAX)
		return why_set(why, -EIO, "the timer (%s) stands still: %u reads gave one value", isa_timer_name,
			       READS);
	facts->cost_counts = median(differences, READS);
	return 0;
}

int timer_test(struct timer_facts *facts, struct why *why)
{
	int error = timer_test_steps(facts, why);
	if (error)
		return error;

	struct instant begin = now(), busy;
	do
		busy = now();
	while (busy.ns - begin.ns < WINDOW_NS);
	os_sleep_ns(WINDOW_NS);
	struct instant slept = now();
	double busy_hz = rate_hz(begin, busy), slept_hz = rate_hz(busy, slept);
	if (busy_hz < 1)
		return why_set(why, -EIO, "the timer (%s) does not advance with the OS clock", isa_timer_name);
	facts->hz = (uint64_t)(rate_hz(begin, slept) + 0.5);
	facts->rate_error_ppm = (int64_t)((slept_hz / busy_hz - 1) * 1e6);
	if (facts->rate_error_ppm > RATE_ERROR_MOST_PPM || facts->rate_error_ppm < -RATE_ERROR_MOST_PPM)
		return why_set(
			why, -EIO,
			"the timer (%s) changes its rate: %.0f counts a second while the strand is busy, %.0f while it sleeps",
			isa_timer_name, busy_hz, slept_hz);
	return 0;
}

int timer_check_quantum(const struct timer_facts *facts, uint64_t quantum_ns, struct why *why)
{
	double stamp_ns = 1e9 * (double)facts->cost_counts / (double)facts->hz, least_ns = 100 * stamp_ns;
	if ((double)quantum_ns >= least_ns)
		return 0;
	return why_set(
		why, -EINVAL,
		"--quantum %lluns is too short for the timer: a stamp takes %.0f ns here, so the least is %.0f ns",
		(unsigned long long)quantum_ns, stamp_ns, least_ns);
}
