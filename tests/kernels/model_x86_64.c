/* What the x86-64 kernels leave behind. */
#include "tests/kernels/model.h"

static uint64_t multiplied(uint64_t iterations, uint64_t operations)
{
	(void)iterations;
	return product(0x5deece66d, operations);
}

static uint64_t dividend(uint64_t iterations, uint64_t operations)
{
	(void)iterations, (void)operations;
	return 0x1234567890abcdef;
}

static double one_and_ones(uint64_t iterations, uint64_t operations)
{
	return 1 + sum_of_ones(iterations, operations);
}

const struct model models[] = {
	{"div", dividend, NULL},        {"fadd", NULL, one_and_ones}, {"fdiv", NULL, quotients},
	{"fmul", NULL, one_and_a_half}, {"fsqrt", NULL, root_of_pi},  {"mul", multiplied, NULL},
};
const size_t model_count = sizeof models / sizeof *models;
