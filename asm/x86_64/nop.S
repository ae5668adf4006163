//@ kernel: nop; instruction: no operation; resource: front end (fetch, decode, retire); sharing: pipeline; ops: 512; body: nop
/* Nothing executes: what is left is the rate at which instructions enter and leave the pipeline. */
#include "asm/x86_64/kernel.inc"

	KERNEL	nop
	BODY	nop
	.rept	512
	nop
	.endr
	LOOP	nop
	END	nop
