/*
 * The trap table: register windows, the tick, and an end for everything else. An entry has 8 instructions, clean_window, spill and
 * fill have 32; the upper half is for traps inside of a trap (UltraSPARC Architecture 2005, chapter 12).
 */
#include "domains/bare/niagara/layout.h"

	.register %g2, #scratch
	.register %g3, #scratch

	.macro	FATAL count=1
	.rept	\count
	rdpr	%tt, %g1
	ba,pt	%xcc, trapped
	 rdpr	%tpc, %g2
	.align	32
	.endr
	.endm

	.section .traps, "ax"
	.align	0x8000
	.global	niagara_traps
niagara_traps:
	FATAL	0x24

	/* 0x24: clean_window. The new window is clean now. */
	rdpr	%cleanwin, %l0
	inc	%l0
	wrpr	%l0, %cleanwin
	.irp	register, l0, l1, l2, l3, l4, l5, l6, l7, o0, o1, o2, o3, o4, o5, o6, o7
	clr	%\register
	.endr
	retry
	.align	128

	FATAL	0x4e - 0x28
	ba,pt	%xcc, tick		! 0x4e: interrupt_level_14
	 ldxa	[%g0] 0x20, %g1		! ASI_SCRATCHPAD: the strand
	.align	32
	FATAL	0x80 - 0x4f

	.macro	WINDOW instruction, suffix
	.set	at, STACK_BIAS
	.irp	register, l0, l1, l2, l3, l4, l5, l6, l7, i0, i1, i2, i3, i4, i5, i6, i7
	.ifc	\instruction, stx
	stx	%\register, [%sp + at]
	.else
	ldx	[%sp + at], %\register
	.endif
	.set	at, at + 8
	.endr
	\suffix
	retry
	.align	128
	.endm

	WINDOW	stx, saved		! 0x80: spill_0_normal
	FATAL	0xc0 - 0x84
	WINDOW	ldx, restored		! 0xc0: fill_0_normal
	FATAL	0x200 - 0xc4
	FATAL	0x200

/*
 * A tick. The next one is a period after this one was due, not after now: ticks do not drift. It is armed when the path is done, and
 * those that were due meanwhile are left out: a path that is longer than the period still leaves the strand some time.
 */
	.section .text
	.align	64
tick:
	ldx	[%g1 + STRAND_TICKS], %g2
	inc	%g2
	stx	%g2, [%g1 + STRAND_TICKS]
	ldx	[%g1 + STRAND_PATH], %g2
1:	brnz,pt	%g2, 1b
	 dec	%g2
	ldx	[%g1 + STRAND_PERIOD], %g2
	rd	%tick_cmpr, %g3
2:	add	%g3, %g2, %g3
	wr	%g3, 0, %tick_cmpr
	rd	%tick, %g4
	sllx	%g4, 1, %g4		! bit 63 says who may read it
	srlx	%g4, 1, %g4
	add	%g4, TICK_MARGIN, %g4
	cmp	%g3, %g4
	bleu,pn	%xcc, 2b
	 nop
	wr	%g0, 1, %clear_softint	! after arming: what matched meanwhile is left out
	retry

/* Tells the trap in %g1 (type) and %g2 (address), on a stack of its own. The first strand to come here tells; a trap while that is
 * being told, on this strand or another, is not. */
trapped:
	set	told, %g3
	ldstub	[%g3], %g4
1:	brnz,pn	%g4, 1b
	 nop
	wrpr	%g0, PIL_NOTHING, %pil
	wrpr	%g0, PSTATE_QUIET, %pstate
	wrpr	%g0, 0, %tl
	wrpr	%g0, 0, %canrestore
	wrpr	%g0, 0, %otherwin
	wrpr	%g0, 6, %cansave
	wrpr	%g0, 7, %cleanwin
	wrpr	%g0, 0, %wstate
	mov	%g1, %o0
	mov	%g2, %o1
	wrpr	%g0, 0, %gl
	set	trap_stack + TRAP_STACK_BYTES - STACK_BIAS - LEAST_FRAME, %sp
	clr	%fp
	call	niagara_trapped
	 clr	%i7

	.section .bss
	.align	64
trap_stack:
	.skip	TRAP_STACK_BYTES
told:
	.skip	8
	.section .note.GNU-stack,"",@progbits
