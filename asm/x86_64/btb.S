//@ kernel: btb; instruction: branch, taken, many targets; resource: branch target buffer; sharing: core; ops: 64; body: jmp [0-9a-f]+.*
/* 3584 branches: 29 KB, which an L1I of 32 KB holds and the first level of most branch target buffers (128 to 2048 entries) does not.
 * The padding is int3: it would trap if it were ever executed. */
#include "asm/x86_64/kernel.inc"

	.altmacro
	.macro	JUMP place, target
.Lplace_\place:
	jmp	.Lplace_\target
	.endm
	.macro	APART
	.p2align 3, 0xcc
	.endm

#include "asm/btb.inc"
