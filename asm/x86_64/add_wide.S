//@ kernel: add_wide; instruction: integer add, independent; resource: issue slots and integer ALUs; sharing: pipeline; ops: 512; body: add %rdi,%r(ax|cx|dx|8|9|10|11|si)
/* Eight chains that do not wait for each other: as many a cycle as the core issues. It feels a sibling strand first. The loop's
 * counter is added because a constant need not reach an ALU (see add.S), and it leaves eight registers for the chains. */
#include "asm/x86_64/kernel.inc"

	KERNEL	add_wide
	BODY	add_wide
	.rept	64
	.irp	register, rax, rcx, rdx, r8, r9, r10, r11, rsi
	add	%rdi, %\register
	.endr
	.endr
	LOOP	add_wide
	END	add_wide
