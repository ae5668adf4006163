/* Calibration and warm-up: the iterations that make an undisturbed repetition last one quantum. Freestanding. */
#ifndef CMTNOISE_CALIBRATE_H
#define CMTNOISE_CALIBRATE_H

#include <stdbool.h>
#include "asm/kernel.h"

struct calibration {
	uint64_t iterations;
	bool stable; /* two batches in a row agreed and were on target */
};

/* Runs the kernel on the calling strand until batches of repetitions lie on the quantum, which warms caches, predictors and
 * clock up as well. `guess` is a number of iterations to begin with, 0 for none: a good one, such as the last strand's, ends it
 * after two batches. Returns 0, or -ERANGE when one turn of the kernel's loop takes longer than the quantum. */
int calibrate(struct calibration *c, const struct kernel *kernel, void *operand, uint64_t quantum_counts,
	      uint64_t guess);

/* Warm-up alone, for iterations that are fixed: batches until two in a row agree. */
void warm_up(struct calibration *c, const struct kernel *kernel, void *operand, uint64_t iterations);

/* A low quantile (the first quartile) of the durations between count + 1 stamps, from an evenly spaced sample of them. */
uint64_t low_quantile_counts(const uint64_t *stamps, uint64_t count);

#endif
