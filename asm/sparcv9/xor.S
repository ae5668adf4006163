//@ kernel: xor; instruction: exclusive or, dependent; resource: integer ALU latency; sharing: pipeline; ops: 256; body: xor %g1, %g4, %g1
/* T1 (modelled): 1 cycle each. */
#include "asm/sparcv9/kernel.inc"

	KERNEL	xor
	clr	%g1
	mov	0x5a5, %g4
	BODY	xor
	.rept	128
	xor	%g1, %g4, %g1
	xor	%g1, %g4, %g1
	.endr
	LOOP	xor
	END	xor, %g1
