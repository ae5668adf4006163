//@ kernel: btb; instruction: branch, taken, many targets; resource: branch target buffer; sharing: core; ops: 64; body: jmp [0-9a-f]+.*
/* 3584 branches, in blocks of 64, 8 bytes apart: 29 KB, which an L1I of 32 KB holds and the first level of most branch target
 * buffers (128 to 2048 entries) does not. Within a block each goes 27 places on, modulo 64, so that no target is the next
 * line; place 37 comes last, and 37 + 27 is the block's end. The padding is int3: it would trap if it were ever executed. */
#include "asm/x86_64/kernel.inc"

	.altmacro
	.macro	JUMP place, target
.Lplace_\place:
	jmp	.Lplace_\target
	.endm
	.macro	BLOCK number
	.set	.Lplace, 0
	.rept	64
	.if	.Lplace	/* the first follows the loop's own branch, which falls through to it */
	.p2align 3, 0xcc
	.endif
	.if	.Lplace == 37
	JUMP	%(\number * 64 + .Lplace), %(\number * 64 + 10000)
	.else
	JUMP	%(\number * 64 + .Lplace), %(\number * 64 + ((.Lplace + 27) & 63))
	.endif
	.set	.Lplace, .Lplace + 1
	.endr
	.p2align 3, 0xcc
	.endm
	.macro	BLOCK_END number
.Lplace_\number:
	.endm

	KERNEL	btb
	BODY	btb
	.set	.Lblock, 0
	.rept	55
	BLOCK	%.Lblock
	BLOCK_END %(.Lblock * 64 + 10000)
	NEXT	btb
	.set	.Lblock, .Lblock + 1
	.endr
	BLOCK	55
	BLOCK_END %(55 * 64 + 10000)
	LOOP	btb
	END	btb
