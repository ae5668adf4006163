//@ kernel: branch_not_taken; instruction: conditional branch, not taken; resource: branch unit; sharing: pipeline; ops: 512; body: je [0-9a-f]+.*
/* The zero flag stays clear from the loop's own decrement. They would all leave for the loop's end. */
#include "asm/x86_64/kernel.inc"

	KERNEL	branch_not_taken
	test	%rdi, %rdi
	BODY	branch_not_taken
	.rept	512
	je	kernel_branch_not_taken_out
	.endr
	LOOP	branch_not_taken
	END	branch_not_taken
