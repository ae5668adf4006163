//@ kernel: load_l3; instruction: load, dependent, from L3; resource: level-3 cache latency; sharing: chip; ops: 2; operand: chase-l3; body: mov \(%rax\),%rax
/* The chase exceeds L2. 40 to 80 cycles each where it is quiet, up to memory's latency where neighbours fill the L3: two keep a
 * turn below 0.3 % of a quantum even then. */
#include "asm/x86_64/kernel.inc"

	KERNEL	load_l3
	mov	(%rsi), %rax
	BODY	load_l3
	.rept	2
	mov	(%rax), %rax
	.endr
	LOOP	load_l3
	mov	%rax, (%rsi)
	END	load_l3
