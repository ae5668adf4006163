//@ kernel: mul; instruction: integer multiply, 64 bits, dependent; resource: integer multiplier; sharing: core; ops: 24; body: mulx %g1, %g4, %g1
/* An odd factor keeps the product from running out of bits. T1 (modelled): 11 cycles each by GCC's scheduler description, 5 in the
 * multiplier by its specification: the two sources differ, and nobody here has measured it. */
#include "asm/sparcv9/kernel.inc"

	KERNEL	mul
	mov	1, %g1
	sethi	%hi(0x5deece66d & 0xffffffff), %g4
	or	%g4, %lo(0x66d), %g4
	BODY	mul
	.rept	24
	mulx	%g1, %g4, %g1
	.endr
	LOOP	mul
	END	mul, %g1
