//@ kernel: atomic; instruction: compare and swap, dependent; resource: level-2 cache, locked line; sharing: chip; ops: 8; operand: scratch; body: casx \[ ?%o1 ?\], %g1, %g4
/* Each finds what it expects and writes it back: 0. T1 (modelled): done in L2, like a miss in L1: 26 cycles and more. */
#include "asm/sparcv9/kernel.inc"

	KERNEL	atomic
	clr	%g1
	clr	%g4
	BODY	atomic
	.rept	8
	casx	[%o1], %g1, %g4
	.endr
	LOOP	atomic
	END	atomic, %g4
