//@ kernel: fence; instruction: memory fence; resource: store buffer and load queue order; sharing: core; ops: 4; body: mfence
/* 30 to 80 cycles each with nothing to wait for. */
#include "asm/x86_64/kernel.inc"

	KERNEL	fence
	BODY	fence
	.rept	4
	mfence
	.endr
	LOOP	fence
	END	fence
