/* Results that kernels of several instruction sets share. */
#ifndef CMTNOISE_MODEL_H
#define CMTNOISE_MODEL_H

#include "tests/kernels/guard.h"

/* 1 times a factor, each time modulo 2^64. */
static inline uint64_t power(uint64_t factor, uint64_t operations)
{
	uint64_t result = 1;
	while (operations--)
		result *= factor;
	return result;
}

static inline uint64_t shifted(uint64_t value, uint64_t bits)
{
	return bits < 64 ? value << bits : 0;
}

/* pi by 1.7 and by 1 / 1.7 in turn. */
static inline double quotients(const struct model_run *run)
{
	volatile double value = 0x1.921fb54442d18p+1;
	for (uint64_t i = 0; i < run->operations; i++)
		value = value / (i % 2 ? 0x1.2d2d2d2d2d2d3p-1 : 0x1.b333333333333p+0);
	return value;
}

static inline double one_and_a_half(const struct model_run *run)
{
	(void)run;
	return 1.5;
}

static inline double root_of_pi(const struct model_run *run)
{
	(void)run;
	return 0x1.c5bf891b4ef6ap+0;
}

/* One chain of several, from 1.0 on. */
static inline double one_and_share(const struct model_run *run, unsigned chains)
{
	return 1 + (double)(run->operations / chains);
}

#endif
