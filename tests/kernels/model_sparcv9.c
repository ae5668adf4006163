/* What the SPARC V9 kernels leave behind. They set their registers themselves. */
#include "tests/kernels/model.h"
#include <string.h>

static uint64_t add(struct model_run *run)
{
	return run->operations;
}

/* One of eight chains; each turn adds 32 times the iterations left after it. */
static uint64_t add_wide(struct model_run *run)
{
	return 32 * (run->iterations * (run->iterations - 1) / 2);
}

static uint64_t atomic(struct model_run *run)
{
	uint64_t expected = 0, value = 0;
	for (uint64_t i = 0; i < run->operations; i++) {
		uint64_t before = run->memory;
		if (before == expected)
			run->memory = value;
		value = before;
	}
	return value;
}

static uint64_t div_by_one(struct model_run *run)
{
	(void)run;
	return (uint64_t)0x12345400 << 31 | 0x155;
}

static uint64_t mul(struct model_run *run)
{
	return power(0xdeece66d, run->operations);
}

static uint64_t shift(struct model_run *run)
{
	return shifted(1, 3 * run->operations);
}

static uint64_t exclusive_or(struct model_run *run)
{
	return run->operations % 2 ? 0x5a5 : 0;
}

/* From 0.0 on. */
static double fadd(const struct model_run *run)
{
	return (double)run->operations;
}

/* Two sums of 32 bits in one register: 1s in the upper half, 3s in the lower. */
static double vadd(const struct model_run *run)
{
	uint64_t bits = (run->operations & 0xffffffff) << 32 | (run->operations * 3 & 0xffffffff);
	double value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

static double vfma(const struct model_run *run)
{
	return one_and_share(run, 8);
}

const struct model models[] = {
	{"add", add, NULL},
	{"add_wide", add_wide, NULL},
	{"atomic", atomic, NULL},
	{"div", div_by_one, NULL},
	{"fadd", NULL, fadd},
	{"fdiv", NULL, quotients},
	{"fmul", NULL, one_and_a_half},
	{"fsqrt", NULL, root_of_pi},
	{"mul", mul, NULL},
	{"shift", shift, NULL},
	{"vadd", NULL, vadd},
	{"vfma", NULL, vfma},
	{"xor", exclusive_or, NULL},
};
const size_t model_count = sizeof models / sizeof *models;
