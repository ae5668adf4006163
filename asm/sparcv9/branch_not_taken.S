//@ kernel: branch_not_taken; instruction: conditional branch, not taken; resource: branch unit; sharing: pipeline; ops: 64; body: be,pn %xcc, [0-9a-f]+.*
/* They would all leave for the loop's end. T1 (modelled): 3 cycles each, and one for the delay slot. */
#include "asm/sparcv9/kernel.inc"

	KERNEL	branch_not_taken
	cmp	%sp, 0
	BODY	branch_not_taken
	.rept	64
	be,pn	%xcc, kernel_branch_not_taken_out
	 nop
	.endr
	LOOP	branch_not_taken
	END	branch_not_taken
