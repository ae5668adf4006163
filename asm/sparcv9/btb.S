//@ kernel: btb; instruction: branch, taken, many targets; resource: branch target prediction; sharing: core; ops: 64; body: b %xcc, [0-9a-f]+.*
/* 3584 branches with their delay slots, 8 bytes: 28 KB. A T1 predicts nothing and holds 16 KB of instructions. T1 (modelled):
 * 3 cycles each, one for the delay slot, and the fetch from L2. */
#include "asm/sparcv9/kernel.inc"

	.altmacro
	.macro	JUMP place, target
.Lplace_\place:
	ba,pt	%xcc, .Lplace_\target
	 nop
	.endm
	.macro	APART	/* a branch and its delay slot are 8 bytes */
	.endm

#include "asm/btb.inc"
