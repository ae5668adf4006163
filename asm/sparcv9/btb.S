//@ kernel: btb; instruction: branch, taken, many targets; resource: branch target prediction; sharing: core; ops: 64; body: b %xcc, [0-9a-f]+.*
/* 3584 branches in blocks of 64, 8 bytes apart with their delay slots: 28 KB. Within a block each goes 27 places on, modulo 64, so that
 * no target is the next line; place 37 comes last, and 37 + 27 is the block's end. A T1 predicts nothing and holds 16 KB of
 * instructions. T1 (modelled): 3 cycles each, one for the delay slot, and the fetch from L2. */
#include "asm/sparcv9/kernel.inc"

	.altmacro
	.macro	JUMP place, target
.Lplace_\place:
	ba,pt	%xcc, .Lplace_\target
	 nop
	.endm
	.macro	BLOCK number
	.set	.Lplace, 0
	.rept	64
	.if	.Lplace == 37
	JUMP	%(\number * 64 + .Lplace), %(\number * 64 + 10000)
	.else
	JUMP	%(\number * 64 + .Lplace), %(\number * 64 + ((.Lplace + 27) & 63))
	.endif
	.set	.Lplace, .Lplace + 1
	.endr
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
