//@ kernel: atomic; instruction: locked add; resource: level-1 data cache, locked line; sharing: core; ops: 16; operand: scratch; body: lock addq \$0x1,\(%rsi\)
/* The line stays in this strand's L1: what is seen is the lock and the drained store buffer, 8 to 20 cycles each. */
#include "asm/x86_64/kernel.inc"

	KERNEL	atomic
	BODY	atomic
	.rept	16
	lock addq $1, (%rsi)
	.endr
	LOOP	atomic
	END	atomic
