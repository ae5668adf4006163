//@ kernel: load_l2; instruction: load, dependent, from L2; resource: level-2 cache latency; sharing: core; ops: 16; operand: chase-l2; body: mov \(%rax\),%rax
/* The chase exceeds L1, in random order, so that every load goes to L2: 12 to 20 cycles each. */
#include "asm/x86_64/kernel.inc"

	KERNEL	load_l2
	mov	(%rsi), %rax
	BODY	load_l2
	.rept	16
	mov	(%rax), %rax
	.endr
	LOOP	load_l2
	mov	%rax, (%rsi)
	END	load_l2
