//@ kernel: load_l2; instruction: load, dependent, from L2; resource: level-2 cache latency; sharing: chip; ops: 8; operand: chase-l2; body: ldx \[ %g1 \], %g1
/* Each load waits for the address that the one before it loads. T1 (modelled): 26 cycles each, 3 and 23 more after a miss in L1. */
#include "asm/sparcv9/kernel.inc"

	KERNEL	load_l2
	ldx	[%o1], %g1
	BODY	load_l2
	.rept	8
	ldx	[%g1], %g1
	.endr
	LOOP	load_l2
	stx	%g1, [%o1]
	END	load_l2
