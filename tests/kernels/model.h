/* Results that kernels of several instruction sets share. */
#ifndef CMTNOISE_MODEL_H
#define CMTNOISE_MODEL_H

#include "tests/kernels/guard.h"

/* 1 times an odd factor, each time modulo 2^64. */
static inline uint64_t product(uint64_t factor, uint64_t operations)
{
	uint64_t result = 1;
	while (operations--)
		result *= factor;
	return result;
}

/* pi by 1.7 and by 1 / 1.7 in turn. */
static inline double quotients(uint64_t iterations, uint64_t operations)
{
	volatile double value = 0x1.921fb54442d18p+1;
	(void)iterations;
	for (uint64_t i = 0; i < operations; i++)
		value = value / (i % 2 ? 0x1.2d2d2d2d2d2d3p-1 : 0x1.b333333333333p+0);
	return value;
}

static inline double sum_of_ones(uint64_t iterations, uint64_t operations)
{
	(void)iterations;
	return (double)operations;
}

static inline double one_and_a_half(uint64_t iterations, uint64_t operations)
{
	(void)iterations, (void)operations;
	return 1.5;
}

static inline double root_of_pi(uint64_t iterations, uint64_t operations)
{
	(void)iterations, (void)operations;
	return 0x1.c5bf891b4ef6ap+0;
}

#endif
