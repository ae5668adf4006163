//@ kernel: fadd; instruction: floating-point add, double, dependent; resource: floating-point unit; sharing: chip; ops: 8; body: faddd %f0, %f2, %f0
/* 1.0 is added to 0.0: exact and ordinary. T1 (modelled): 26 cycles each; one unit serves all cores. */
#include "asm/sparcv9/kernel.inc"

	KERNEL	fadd
	LOAD_DOUBLE 0, 0, 0, 1
	LOAD_DOUBLE 0x3ff00000, 0, 2, 3
	BODY	fadd
	.rept	8
	faddd	%f0, %f2, %f0
	.endr
	LOOP	fadd
	END	fadd
