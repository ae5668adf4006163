//@ kernel: atomic; instruction: locked exchange-and-add; resource: level-1 data cache, locked line; sharing: core; ops: 16; operand: scratch; body: lock xadd %rax,\(%rsi\)
/* The line stays in this strand's L1: what is seen is the lock and the drained store buffer, about 20 cycles each. Exchanging,
 * so that each waits for the one before: a plain `lock add` overlaps with its neighbours in changing ways, by 10 %
 * (virtualised Zen 3, cmtnoise run --kernel atomic). */
#include "asm/x86_64/kernel.inc"

	KERNEL	atomic
	BODY	atomic
	.rept	16
	lock xadd %rax, (%rsi)
	.endr
	LOOP	atomic
	END	atomic
