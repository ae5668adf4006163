//@ kernel: add; instruction: integer add, dependent; resource: integer ALU latency; sharing: pipeline; ops: 256; body: add %g1, %g4, %g1
/* Each add waits for the one before. T1 (modelled): 1 cycle each. */
#include "asm/sparcv9/kernel.inc"

	KERNEL	add
	clr	%g1
	mov	1, %g4
	BODY	add
	.rept	256
	add	%g1, %g4, %g1
	.endr
	LOOP	add
	END	add, %g1
