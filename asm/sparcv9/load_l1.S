//@ kernel: load_l1; instruction: load, dependent, from L1; resource: level-1 data cache latency; sharing: core; ops: 64; operand: chase-l1; body: ldx \[ %g1 \], %g1
/* Each load waits for the address that the one before it loads. T1 (modelled): 3 cycles each. */
#include "asm/sparcv9/kernel.inc"

	KERNEL	load_l1
	ldx	[%o1], %g1
	BODY	load_l1
	.rept	64
	ldx	[%g1], %g1
	.endr
	LOOP	load_l1
	stx	%g1, [%o1]
	END	load_l1
