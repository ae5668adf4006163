/* Calls a kernel with known values in everything that the ABI asks it to preserve; tests/kernels/guard_<isa>.S. */
#ifndef CMTNOISE_GUARD_H
#define CMTNOISE_GUARD_H

#include <stddef.h>
#include <stdint.h>

typedef void kernel_function(uint64_t iterations, void *operand);

/* Bits 0 to 15: one for each thing that changed; from 16 on: the floating-point exceptions that were raised. The guard's file
 * says which is which. Everything is as before afterwards, so that the caller lives to tell. */
unsigned guard_call(kernel_function *kernel, uint64_t iterations, void *operand);

/* What the kernel left in the registers of an integer and of a double result. */
extern uint64_t guard_integer;
extern double guard_double;

extern const unsigned guard_inexact; /* the exception that is ordinary, as guard_call() tells it */

/* Kernels that break a rule each, to see that the guard sees it. */
struct guard_fault {
	const char *name;
	kernel_function *kernel;
	unsigned seen; /* what guard_call() returns */
};

extern const struct guard_fault guard_faults[];
extern const size_t guard_fault_count;

/* What a kernel leaves behind, computed in C; only kernels whose results are defined are here. */
struct model {
	const char *kernel;
	uint64_t (*integer)(uint64_t iterations, uint64_t operations); /* NULL: not defined */
	double (*real)(uint64_t iterations, uint64_t operations);
};

extern const struct model models[];
extern const size_t model_count;

#endif
