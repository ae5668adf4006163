//@ kernel: fence; instruction: memory barrier; resource: store buffer; sharing: core; ops: 8; body: membar #StoreLoad
/* The barrier that waits for stores: the one that total store order leaves to do. Cycles on T1 are not known. */
#include "asm/sparcv9/kernel.inc"

	KERNEL	fence
	BODY	fence
	.rept	8
	membar	#StoreLoad
	.endr
	LOOP	fence
	END	fence
