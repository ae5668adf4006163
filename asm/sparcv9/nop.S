//@ kernel: nop; instruction: no operation; resource: issue slots; sharing: pipeline; ops: 256; body: nop
/* What is left is the rate at which instructions enter and leave the pipeline. T1 (modelled): 1 cycle each. */
#include "asm/sparcv9/kernel.inc"

	KERNEL	nop
	BODY	nop
	.rept	256
	nop
	.endr
	LOOP	nop
	END	nop
