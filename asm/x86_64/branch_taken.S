//@ kernel: branch_taken; instruction: conditional branch, taken; resource: branch unit and fetch redirection; sharing: pipeline; ops: 128; body: jne [0-9a-f]+.*
/* No flags are set in the body: the zero flag stays clear from the loop's own decrement, so each branch is taken. Targets lie
 * 32 bytes apart, as many predictors hold only two branches a line. The padding is int3: it would trap if it were ever
 * executed. */
#include "asm/x86_64/kernel.inc"

	KERNEL	branch_taken
	test	%rdi, %rdi
	BODY	branch_taken
	.rept	128
	jne	1f
	.p2align 5, 0xcc
1:
	.endr
	LOOP	branch_taken
	END	branch_taken
