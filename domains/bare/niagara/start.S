/*
 * Where a strand of the T1 begins.
 *
 * niagara_start: the boot strand, at the image's first byte, from one of two:
 *   - our own reset image (firmware/reset.S): hyperprivileged, MMU off, RESET_MAGIC in %g1, nothing below;
 *   - a sun4v hypervisor, or a loader on it: privileged, with translation switched off (real addresses), the image lying at the
 *     real address it was linked for, no other strand of the guest running. No register is looked at, but %g1 must not
 *     hold RESET_MAGIC. With translation on, as OpenBoot starts a client program, nothing here would be true: CPU_START and
 *     MACH_DESC take real addresses, and the trap table knows of no MMU miss.
 * niagara_start_strand: any other strand, from CPU_START: privileged, translation off, its struct niagara_strand in %o0.
 *
 * After a reset the strand leaves hyperprivileged mode as well: no interrupt reaches that mode, so a run with a tick and one without
 * would be two different things. From here on the two ways differ in the console, the clock and the strand's number alone.
 */
#include "domains/bare/niagara/layout.h"

	.register %g2, #scratch
	.register %g3, #scratch

/* Everything privileged code may set, as after a call from an outermost frame. %g1 stays. There are 8 windows: one in use, one
 * kept free for a trap. */
	.macro	SET_UP_STRAND
	wrpr	%g0, PIL_NOTHING, %pil
	wrpr	%g0, PSTATE_QUIET, %pstate
	wrpr	%g0, 0, %tl
	wrpr	%g0, 0, %cwp
	wrpr	%g0, 0, %canrestore
	wrpr	%g0, 0, %otherwin
	wrpr	%g0, 6, %cansave
	wrpr	%g0, 7, %cleanwin
	wrpr	%g0, 0, %wstate
	set	niagara_traps, %g2
	wrpr	%g2, %tba
	wr	%g0, 4, %fprs
	set	no_fp_traps, %g2
	ldx	[%g2], %fsr
	mov	1, %g2			! bit 63: no tick
	sllx	%g2, 63, %g2
	wr	%g2, 0, %tick_cmpr
	wr	%g2, 0, %asr25		! %stick_cmpr, which raises the tick's level as well
	wr	%g0, -1, %clear_softint	! what whoever was here before left to be taken
	clr	%fp
	clr	%i7
	.endm

	.section .start, "ax"
	.global	niagara_start
	.type	niagara_start, #function
niagara_start:
	mov	%g1, %o0		! %gl has globals of its own
	wrpr	%g0, 0, %gl
	mov	%o0, %g1
	SET_UP_STRAND

	set	niagara_bss, %g2
	set	niagara_bss_end, %g3
1:	stx	%g0, [%g2]
	add	%g2, 8, %g2
	cmp	%g2, %g3
	bne,pt	%xcc, 1b
	 nop

	set	RESET_MAGIC_HIGH, %g2
	sllx	%g2, 32, %g2
	set	RESET_MAGIC_LOW, %g3
	or	%g2, %g3, %g2
	cmp	%g1, %g2
	bne,pn	%xcc, 2f
	 nop
	wrpr	%g0, 0, %tick		! from 0, and readable
	set	niagara_traps, %g2
	wrhpr	%g2, %htba
	mov	1, %g2
	set	niagara_was_reset, %g3
	stx	%g2, [%g3]
	wrhpr	%g0, 0, %hpstate	! privileged from here on

2:	set	niagara_strands, %o0	! until the strand knows its number
	stxa	%o0, [%g0] 0x20		! ASI_SCRATCHPAD
	set	boot_stack + BOOT_STACK_BYTES - STACK_BIAS - LEAST_FRAME, %sp
	call	bare_boot
	 nop
	ta	1			! it does not return
	.size	niagara_start, . - niagara_start

	.section .text
	.global	niagara_start_strand
	.type	niagara_start_strand, #function
	.align	32
niagara_start_strand:
	wrpr	%g0, 0, %gl
	mov	%o0, %g1
	SET_UP_STRAND
	stxa	%g1, [%g0] 0x20
	ldx	[%g1 + STRAND_STACK], %sp
	sub	%sp, STACK_BIAS + LEAST_FRAME, %sp
	mov	1, %g2
	stx	%g2, [%g1 + STRAND_RUNS]
	membar	#StoreLoad | #StoreStore
	call	bare_strand
	 nop
	ta	1
	.size	niagara_start_strand, . - niagara_start_strand

	.section .rodata
	.align	8
no_fp_traps:
	.xword	0

	.section .bss
	.align	64
boot_stack:
	.skip	BOOT_STACK_BYTES
	.global	niagara_was_reset
niagara_was_reset:
	.skip	8
	.section .note.GNU-stack,"",@progbits
