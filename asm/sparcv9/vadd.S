//@ kernel: vadd; instruction: partitioned add, VIS, two 32-bit integers; resource: floating-point and graphics unit; sharing: core; ops: 24; needs: fpadd32; body: fpadd32 %f0, %f2, %f0
/* VIS 1. T1 has it in part: this instruction, but no partitioned multiplication. T1 (modelled): 10 cycles each. */
#include "asm/sparcv9/kernel.inc"

	KERNEL	vadd
	LOAD_DOUBLE 0, 0, 0, 1
	LOAD_DOUBLE 1, 3, 2, 3
	BODY	vadd
	.rept	24
	fpadd32	%f0, %f2, %f0
	.endr
	LOOP	vadd
	END	vadd
