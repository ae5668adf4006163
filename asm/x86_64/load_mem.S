//@ kernel: load_mem; instruction: load, dependent, from memory; resource: memory latency; sharing: chip; ops: 2; operand: chase-mem; body: mov \(%rax\),%rax
/* The chase exceeds L3. About 100 ns each: two keep a turn below 0.3 % of a quantum. */
#include "asm/x86_64/kernel.inc"

	KERNEL	load_mem
	mov	(%rsi), %rax
	BODY	load_mem
	.rept	2
	mov	(%rax), %rax
	.endr
	LOOP	load_mem
	mov	%rax, (%rsi)
	END	load_mem
