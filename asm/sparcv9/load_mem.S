//@ kernel: load_mem; instruction: load, dependent, from memory; resource: memory latency; sharing: chip; ops: 2; operand: chase-mem; body: ldx \[ %g1 \], %g1
/* Each load waits for the address that the one before it loads. T1 (modelled): not known. */
#include "asm/sparcv9/kernel.inc"

	KERNEL	load_mem
	ldx	[%o1], %g1
	BODY	load_mem
	.rept	2
	ldx	[%g1], %g1
	.endr
	LOOP	load_mem
	stx	%g1, [%o1]
	END	load_mem
