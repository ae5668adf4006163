//@ kernel: fmul; instruction: floating-point multiply, double, dependent; resource: floating-point unit; sharing: chip; ops: 8; body: fmuld %f0, %f2, %f0
/* 1.5 times 1.0: any other factor would end in infinity or in denormals. T1 (modelled): 29 cycles each. */
#include "asm/sparcv9/kernel.inc"

	KERNEL	fmul
	LOAD_DOUBLE 0x3ff80000, 0, 0, 1
	LOAD_DOUBLE 0x3ff00000, 0, 2, 3
	BODY	fmul
	.rept	8
	fmuld	%f0, %f2, %f0
	.endr
	LOOP	fmul
	END	fmul
