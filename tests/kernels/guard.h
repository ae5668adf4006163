/* Calls a kernel with known values in everything that the ABI asks it to preserve; tests/kernels/guard_<isa>.S. */
#ifndef CMTNOISE_GUARD_H
#define CMTNOISE_GUARD_H

#include <stddef.h>
#include <stdint.h>

typedef void kernel_function(uint64_t iterations, void *operand);

/* Bits 0 to 15: one for each thing that changed; from 16 on: the floating-point exceptions that were raised. The guard's file
 * says which is which. Everything is as before afterwards, so that the caller lives to tell. */
unsigned guard_call(kernel_function *kernel, uint64_t iterations, void *operand);

/* The registers of an integer and of a double result: what the kernel left there, and, for kernels that go on from whatever
 * there is, what the integer one holds before. */
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

/* A call of a kernel: operations in all, what guard_integer and the first 8 bytes of its operand held before. */
struct model_run {
	uint64_t iterations, operations, integer, memory;
};

/* What a kernel leaves behind, computed in C: the result, and the memory in `run`. A kernel that leaves nothing in a register
 * has neither function; what it is then seen by stands in test_kernels.c. */
struct model {
	const char *kernel;
	uint64_t (*integer)(struct model_run *run);
	double (*real)(const struct model_run *run);
};

extern const struct model models[];
extern const size_t model_count;

#endif
