//@ kernel: ifetch; instruction: no operation; resource: level-1 instruction cache and fetch from L2; sharing: core; ops: 256; body: nop
/* 96 KB straight ahead, more than any L1I of a SPARC (T1: 16 KB) and within reach of the loop's branch, in blocks of 1 KB. Every call
 * begins at the first block. Cycles on T1 are not known: each line of 32 bytes comes from L2. */
#include "asm/sparcv9/kernel.inc"

	KERNEL	ifetch
	BODY	ifetch
	.rept	95
	.rept	256
	nop
	.endr
	NEXT	ifetch
	.endr
	.rept	256
	nop
	.endr
	LOOP	ifetch
	END	ifetch
