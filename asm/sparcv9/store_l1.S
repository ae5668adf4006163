//@ kernel: store_l1; instruction: store; resource: store buffer and level-1 data cache; sharing: core; ops: 256; operand: scratch; body: stx %g4, \[ %o1( \+ (0x[0-9a-f]+|[0-9]+))? \]
/* 256 places of 8 bytes, none twice a turn. T1 (modelled): 1 cycle each where the store buffer has room; its L1 is written through,
 * so that in the long run the rate is that of L2. */
#include "asm/sparcv9/kernel.inc"

	KERNEL	store_l1
	mov	0x155, %g4
	BODY	store_l1
	.set	.Loffset, 0
	.rept	256
	stx	%g4, [%o1 + .Loffset]
	.set	.Loffset, .Loffset + 8
	.endr
	LOOP	store_l1
	END	store_l1
