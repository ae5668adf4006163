/* What the x86-64 kernels leave behind. */
#include "tests/kernels/model.h"

static uint64_t add(struct model_run *run)
{
	return run->integer + run->operations;
}

/* One of eight chains; each turn adds 64 times the iterations left. */
static uint64_t add_wide(struct model_run *run)
{
	return run->integer + 64 * (run->iterations * (run->iterations + 1) / 2);
}

static uint64_t atomic(struct model_run *run)
{
	uint64_t value = run->integer;
	for (uint64_t i = 0; i < run->operations; i++) {
		uint64_t before = run->memory;
		run->memory += value;
		value = before;
	}
	return value;
}

static uint64_t div_by_one(struct model_run *run)
{
	(void)run;
	return 0x1234567890abcdef;
}

static uint64_t mul(struct model_run *run)
{
	return power(0x5deece66d, run->operations);
}

static uint64_t shift(struct model_run *run)
{
	return shifted(run->integer, 3 * run->operations);
}

/* With what guard_call() puts into the other register too. */
static uint64_t exclusive_or(struct model_run *run)
{
	return run->operations % 2 ? 0 : run->integer;
}

static double fadd(const struct model_run *run)
{
	return one_and_share(run, 1);
}

static double vadd(const struct model_run *run)
{
	return one_and_share(run, 8);
}

static double vfma(const struct model_run *run)
{
	return one_and_share(run, 10);
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
