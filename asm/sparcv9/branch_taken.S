//@ kernel: branch_taken; instruction: conditional branch, taken; resource: branch unit and fetch redirection; sharing: pipeline; ops: 64; body: bne %xcc, [0-9a-f]+.*
/* The condition is set once, before the loop, which branches on a register and leaves it alone. T1 (modelled): 3 cycles each, and one
 * for the delay slot. */
#include "asm/sparcv9/kernel.inc"

	KERNEL	branch_taken
	cmp	%sp, 0
	BODY	branch_taken
	.rept	64
	bne,pt	%xcc, 1f
	 nop
1:
	.endr
	LOOP	branch_taken
	END	branch_taken
