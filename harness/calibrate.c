#include "harness/calibrate.h"
#include <errno.h>
#include "harness/measure.h"

/* The first quartile stands up to three disturbed repetitions in four; a minimum would follow a single lucky one (turbo,
 * a timer that stepped), a mean every disturbance. */
enum { BATCH = 8, BATCHES_MOST = 24, WINDOW = 5, SAMPLE = 64 };

static const uint64_t TOLERANCE = 1000; /* a batch is on target within 1/TOLERANCE of it */

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

/* For a baseline that wanders: the low quantile over everything but the first batches, which were cold. Few iterations
 * belong to a slow repetition, so the low quantile of the durations is the high one of these. */
static uint64_t settled_iterations(struct targets *t)
{
	enum { COLD = BATCHES_MOST / 6 * BATCH, WARM = BATCHES_MOST * BATCH - COLD };
	sort(t->of_repetitions + COLD, WARM);
	return t->of_repetitions[COLD + WARM - 1 - WARM / 4];
}

int calibrate(struct calibration *c, const struct kernel *kernel, void *operand, uint64_t quantum_counts,
	      uint64_t guess)
{
	uint64_t iterations = guess ? guess : first_guess(kernel, operand, quantum_counts);
	uint64_t stamps[BATCH + 1], counts;
	struct targets targets;
	unsigned on_target = 0;

	targets.batches = 0;
	for (;;) {
		counts = batch_counts(stamps, kernel, iterations, operand);
		if (iterations == 1 && counts > quantum_counts + quantum_counts / 2)
			return -ERANGE;
		uint64_t off = difference(counts, quantum_counts);
		/* Half a turn is as near as whole turns can come. */
		bool hit = off <= quantum_counts / TOLERANCE || off <= counts / iterations / 2 + 1;
		on_target = hit ? on_target + 1 : 0;
		add_targets(&targets, iterations, quantum_counts, stamps);
		if (on_target == 2 || targets.batches == BATCHES_MOST)
			break;
		if (!hit)
			iterations = next_iterations(&targets);
	}
	if (on_target < 2)
		iterations = settled_iterations(&targets);
	*c = (struct calibration){.iterations = iterations, .baseline_counts = counts, .stable = on_target == 2};
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
	*c = (struct calibration){
		.iterations = iterations, .baseline_counts = counts, .stable = batches < BATCHES_MOST};
}
