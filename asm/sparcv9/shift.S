//@ kernel: shift; instruction: shift left, dependent; resource: shifter latency; sharing: pipeline; ops: 256; body: sllx %g1, 3, %g1
/* T1 (modelled): 1 cycle each. */
#include "asm/sparcv9/kernel.inc"

	KERNEL	shift
	mov	1, %g1
	BODY	shift
	.rept	256
	sllx	%g1, 3, %g1
	.endr
	LOOP	shift
	END	shift, %g1
