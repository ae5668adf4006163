//@ kernel: load_l1; instruction: load, dependent, from L1; resource: level-1 data cache latency; sharing: core; ops: 64; operand: chase-l1; body: mov \(%rax\),%rax
/* Each load waits for the address that the one before it loads: four or five cycles each. */
#include "asm/x86_64/kernel.inc"

	KERNEL	load_l1
	mov	(%rsi), %rax
	BODY	load_l1
	.rept	64
	mov	(%rax), %rax
	.endr
	LOOP	load_l1
	mov	%rax, (%rsi)
	END	load_l1
