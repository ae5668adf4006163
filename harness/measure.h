/* The measuring loop. Freestanding. */
#ifndef CMTNOISE_MEASURE_H
#define CMTNOISE_MEASURE_H

#include "asm/kernel.h"

/* Runs the kernel `repetitions` times with a stamp before the first and after each: stamps has repetitions + 1 places, and
 * repetition i spans stamps[i] to stamps[i + 1]. The caller has allocated, locked and touched everything. */
void measure(const struct kernel *kernel, uint64_t iterations, void *operand, uint64_t *stamps, uint64_t repetitions);

#endif
