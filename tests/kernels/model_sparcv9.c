/* What the SPARC V9 kernels leave behind. */
#include "tests/kernels/model.h"
#include <string.h>

static uint64_t count_of_operations(uint64_t iterations, uint64_t operations)
{
	(void)iterations;
	return operations;
}

/* One of eight chains; each turn adds 32 times the iterations left. */
static uint64_t iterations_left(uint64_t iterations, uint64_t operations)
{
	(void)operations;
	return 32 * (iterations * (iterations - 1) / 2);
}

static uint64_t nothing(uint64_t iterations, uint64_t operations)
{
	(void)iterations, (void)operations;
	return 0;
}

static uint64_t shifted_one(uint64_t iterations, uint64_t operations)
{
	(void)iterations;
	return operations * 3 < 64 ? (uint64_t)1 << operations * 3 : 0;
}

static uint64_t multiplied(uint64_t iterations, uint64_t operations)
{
	(void)iterations;
	return product(0xdeece66d, operations);
}

static uint64_t dividend(uint64_t iterations, uint64_t operations)
{
	(void)iterations, (void)operations;
	return (uint64_t)0x12345400 << 31 | 0x155;
}

/* Two sums of 32 bits in one register: 1s in the upper half, 3s in the lower. */
static double two_sums(uint64_t iterations, uint64_t operations)
{
	uint64_t bits = (operations & 0xffffffff) << 32 | (operations * 3 & 0xffffffff);
	double value;
	(void)iterations;
	memcpy(&value, &bits, sizeof value);
	return value;
}

/* One of eight chains, from 1.0 on. */
static double eighth_of_ones(uint64_t iterations, uint64_t operations)
{
	(void)iterations;
	return 1 + (double)(operations / 8);
}

const struct model models[] = {
	{"add", count_of_operations, NULL},
	{"add_wide", iterations_left, NULL},
	{"atomic", nothing, NULL},
	{"div", dividend, NULL},
	{"fadd", NULL, sum_of_ones},
	{"fdiv", NULL, quotients},
	{"fmul", NULL, one_and_a_half},
	{"fsqrt", NULL, root_of_pi},
	{"mul", multiplied, NULL},
	{"shift", shifted_one, NULL},
	{"vadd", NULL, two_sums},
	{"vfma", NULL, eighth_of_ones},
	{"xor", nothing, NULL},
};
const size_t model_count = sizeof models / sizeof *models;
