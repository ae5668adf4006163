#include "harness/calibrate.h"
#include <errno.h>
#include "harness/measure.h"

/* The first quartile stands up to three disturbed repetitions in four; a minimum would follow a single lucky one (turbo,
 * a timer that stepped), a mean every disturbance. */
enum { BATCH = 8, BATCHES_TRUSTED = 6, BATCHES_MOST = 12, WINDOW = 5, SAMPLE = 64 };

static const uint64_t TOLERANCE = 1000; /* a batch is on target within 1/TOLERANCE of it */
static const uint64_t NEAR = 50;        /* a repetition belongs to a plateau within 1/NEAR of it */

static uint64_t difference(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

static void sort(uint64_t *values, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		uint64_t value = values[i];
		size_t at = i;
		for (; at && values[at - 1] > value; at--)
			values[at] = values[at - 1];
		values[at] = value;
	}
}

uint64_t low_quantile_counts(const uint64_t *stamps, uint64_t count)
{
	uint64_t sample[SAMPLE] = {0};
	size_t taken = count < SAMPLE ? (size_t)count : SAMPLE;
	for (size_t i = 0; i < taken; i++) {
		uint64_t at = i * (count / taken);
		sample[i] = stamps[at + 1] - stamps[at];
	}
	sort(sample, taken);
	return sample[taken / 4];
}

/* value * multiplier / divisor, rounded, at least 1. The product may need more than 64 bits. */
static uint64_t scaled(uint64_t value, uint64_t multiplier, uint64_t divisor)
{
	while (multiplier && value > UINT64_MAX / multiplier) {
		multiplier >>= 1;
		divisor >>= 1;
	}
	uint64_t product = value * multiplier;
	uint64_t result = divisor ? product / divisor + (product % divisor >= divisor - product % divisor) : product;
	return result ? result : 1;
}

/* Doubles the work until it takes a good part of the quantum: below that, the cost of the stamp would spoil the scaling. */
static uint64_t first_guess(const struct kernel *kernel, void *operand, uint64_t quantum_counts)
{
	uint64_t iterations = 1, stamps[4];
	for (;; iterations *= 2) {
		measure(kernel, iterations, operand, stamps, 3);
		uint64_t counts = low_quantile_counts(stamps, 3);
		if (counts >= quantum_counts / 8 || iterations > UINT64_MAX / 4)
			return scaled(iterations, quantum_counts, counts);
	}
}

/* The stamps of a batch; its low quantile is the result. */
static uint64_t batch_counts(uint64_t stamps[BATCH + 1], const struct kernel *kernel, uint64_t iterations,
			     void *operand)
{
	measure(kernel, iterations, operand, stamps, BATCH);
	return low_quantile_counts(stamps, BATCH);
}

/* What has been learnt: the iterations that would have put each repetition, and each batch, on the quantum. */
struct targets {
	uint64_t of_repetitions[BATCHES_MOST * BATCH], of_batches[BATCHES_MOST];
	unsigned batches;
};

static void add_targets(struct targets *t, uint64_t iterations, uint64_t quantum_counts,
			const uint64_t stamps[BATCH + 1])
{
	for (unsigned i = 0; i < BATCH; i++)
		t->of_repetitions[t->batches * BATCH + i] =
			scaled(iterations, quantum_counts, stamps[i + 1] - stamps[i]);
	t->of_batches[t->batches++] = scaled(iterations, quantum_counts, low_quantile_counts(stamps, BATCH));
}

/* Median over the last batches: one that a disturbance hit does not move it. */
static uint64_t next_iterations(const struct targets *t)
{
	uint64_t window[WINDOW] = {0};
	unsigned size = t->batches < WINDOW ? t->batches : WINDOW;
	for (unsigned i = 0; i < size; i++)
		window[i] = t->of_batches[t->batches - size + i];
	sort(window, size);
	return window[size / 2];
}

/* Few iterations belong to a slow repetition, so the low quantile of the durations is the high one of these. */
static uint64_t high_quantile(uint64_t *iterations, unsigned count)
{
	sort(iterations, count);
	return iterations[count - 1 - count / 4];
}

/* For a baseline that wanders: the quantile over everything but the first batches, which were cold. */
static uint64_t wandering_iterations(struct targets *t)
{
	enum { COLD = BATCHES_MOST / 6 * BATCH };
	return high_quantile(t->of_repetitions + COLD, t->batches * BATCH - COLD);
}

/* Around a plateau: the quantile over the repetitions near it. A kernel may have two times that are close together, and the
 * plateau may have been the rare one. */
static uint64_t plateau_iterations(struct targets *t, uint64_t plateau)
{
	unsigned near = 0;
	for (unsigned i = 0; i < t->batches * BATCH; i++)
		if (difference(t->of_repetitions[i], plateau) <= plateau / NEAR)
			t->of_repetitions[near++] = t->of_repetitions[i];
	return near ? high_quantile(t->of_repetitions, near) : plateau;
}

/* One plateau is enough where the strand before it needed no fewer iterations. Else it may be a slower state that other work on
 * the core brought about (a neighbour's, under a hypervisor), and a faster one is waited for a little. */
static bool trusted(uint64_t iterations, uint64_t guess, unsigned batches)
{
	return guess ? iterations >= guess - guess / 100 : batches >= BATCHES_TRUSTED;
}

int calibrate(struct calibration *c, const struct kernel *kernel, void *operand, uint64_t quantum_counts,
	      uint64_t guess)
{
	uint64_t iterations = guess ? guess : first_guess(kernel, operand, quantum_counts);
	uint64_t stamps[BATCH + 1], plateau = 0; /* the most iterations that were on target twice in a row */
	struct targets targets;
	unsigned on_target = 0;

	targets.batches = 0;
	while (targets.batches < BATCHES_MOST) {
		uint64_t counts = batch_counts(stamps, kernel, iterations, operand);
		if (iterations == 1 && counts > quantum_counts + quantum_counts / 2)
			return -ERANGE;
		uint64_t off = difference(counts, quantum_counts);
		/* Half a turn is as near as whole turns can come. */
		bool hit = off <= quantum_counts / TOLERANCE || off <= counts / iterations / 2 + 1;
		on_target = hit ? on_target + 1 : 0;
		add_targets(&targets, iterations, quantum_counts, stamps);
		if (on_target >= 2)
			plateau = iterations;
		if (plateau == iterations && trusted(iterations, guess, targets.batches))
			break;
		if (!hit && !plateau)
			iterations = next_iterations(&targets);
		else if (!hit && counts < quantum_counts) /* faster than the plateau: that was a disturbed one */
			iterations = targets.of_batches[targets.batches - 1];
	}
	c->iterations = plateau ? plateau_iterations(&targets, plateau) : wandering_iterations(&targets);
	c->stable = plateau != 0;
	return 0;
}

void warm_up(struct calibration *c, const struct kernel *kernel, void *operand, uint64_t iterations)
{
	uint64_t stamps[BATCH + 1], last = 0, counts = batch_counts(stamps, kernel, iterations, operand);
	unsigned batches = 1;
	do {
		last = counts;
		counts = batch_counts(stamps, kernel, iterations, operand);
	} while (difference(last, counts) > last / TOLERANCE && ++batches < BATCHES_MOST);
	*c = (struct calibration){.iterations = iterations, .stable = batches < BATCHES_MOST};
}
