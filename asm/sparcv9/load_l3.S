//@ kernel: load_l3; instruction: load, dependent, from L3; resource: level-3 cache latency; sharing: chip; ops: 2; operand: chase-l3; body: ldx \[ %g1 \], %g1
/* Each load waits for the address that the one before it loads. T1 (modelled): it has no L3; this chase then goes to memory. */
#include "asm/sparcv9/kernel.inc"

	KERNEL	load_l3
	ldx	[%o1], %g1
	BODY	load_l3
	.rept	2
	ldx	[%g1], %g1
	.endr
	LOOP	load_l3
	stx	%g1, [%o1]
	END	load_l3
