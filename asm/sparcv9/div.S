//@ kernel: div; instruction: integer divide, signed, 64 bits, dependent; resource: integer divider; sharing: core; ops: 4; body: sdivx %g1, 1, %g1
/* By 1, so that each division has the same long dividend. T1 (modelled): 72 cycles each. */
#include "asm/sparcv9/kernel.inc"

	KERNEL	div
	sethi	%hi(0x12345400), %g1
	sllx	%g1, 31, %g1
	or	%g1, 0x155, %g1
	BODY	div
	.rept	4
	sdivx	%g1, 1, %g1
	.endr
	LOOP	div
	END	div, %g1
