//@ kernel: fdiv; instruction: floating-point divide, double, dependent; resource: floating-point divider; sharing: chip; ops: 2; body: fdivd %f0, %f[24], %f0
/* By 1.7 and by 1/1.7 in turn, so that the quotients stay ordinary numbers. T1 (modelled): 83 cycles each. */
#include "asm/sparcv9/kernel.inc"

	KERNEL	fdiv
	LOAD_DOUBLE 0x400921fb, 0x54442d18, 0, 1	/* pi */
	LOAD_DOUBLE 0x3ffb3333, 0x33333333, 2, 3	/* 1.7 */
	LOAD_DOUBLE 0x3fe2d2d2, 0xd2d2d2d3, 4, 5	/* 1 / 1.7 */
	BODY	fdiv
	.rept	1
	fdivd	%f0, %f2, %f0
	fdivd	%f0, %f4, %f0
	.endr
	LOOP	fdiv
	END	fdiv
