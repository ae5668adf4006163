/*
 * unsigned guard_call(kernel_function *kernel, uint64_t iterations, void *operand): see guard.h.
 *
 * Bits: 0-7 %l0-%l7, 8-11 %i0-%i3, 12 %i4 or %i5, 13 what FSR controls (rounding, traps, non-standard mode), 14 %g2, %g3, %g6
 * or %g7, 15 %sp, %fp or the register window. Exceptions from bit 16: inexact, division by zero, underflow, overflow,
 * invalid, as they stand in FSR's aexc.
 */
#define SAVED_SP 0
#define SAVED_FP 8
#define SAVED_RETURN 16
#define SAVED_G2 24
#define SAVED_G3 32
#define SAVED_G6 40
#define SAVED_G7 48
#define FSR_BEFORE 56
#define FSR_AFTER 64
#define WINDOW_LEFT 72
#define AREA_SIZE 80

	.register %g2, #ignore
	.register %g3, #ignore
	.register %g6, #ignore
	.register %g7, #ignore

/* Relative to the program counter, whatever the compiler makes of symbols: it may ask the assembler for its table of addresses. */
	.macro	ADDRESS symbol, register
	rd	%pc, %g5
	sethi	%pc22(\symbol + 4), \register
	or	\register, %pc10(\symbol + 8), \register
	add	\register, %g5, \register
	.endm

/* \bit of %o4 if the registers differ. */
	.macro	CHECK a, b, bit
	cmp	\a, \b
	be,pt	%xcc, 1f
	 nop
	or	%o4, \bit, %o4
1:
	.endm

	.macro	CHECK_SAVED register, offset, bit
	ldx	[%g4 + \offset], %g1
	CHECK	\register, %g1, \bit
	.endm

	.text
	.global	guard_call
	.type	guard_call, #function
	.align	8
guard_call:
	save	%sp, -192, %sp
	ADDRESS	area, %g4
	stx	%sp, [%g4 + SAVED_SP]
	stx	%fp, [%g4 + SAVED_FP]
	stx	%i7, [%g4 + SAVED_RETURN]
	stx	%g2, [%g4 + SAVED_G2]
	stx	%g3, [%g4 + SAVED_G3]
	stx	%g6, [%g4 + SAVED_G6]
	stx	%g7, [%g4 + SAVED_G7]
	stx	%fsr, [%g4 + FSR_BEFORE]
	ldx	[%g4 + FSR_BEFORE], %g1
	andn	%g1, 0x3ff, %g1		/* aexc and cexc */
	stx	%g1, [%g4 + FSR_BEFORE]
	ldx	[%g4 + FSR_BEFORE], %fsr
	mov	%i0, %g1
	mov	%i1, %o0
	mov	%i2, %o1
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7
	mov	0x100 + \n, %l\n
	.endr
	.irp	n, 0, 1, 2, 3, 4, 5
	mov	0x200 + \n, %i\n
	.endr
	mov	0x302, %g2
	mov	0x303, %g3
	jmpl	%g1, %o7
	 nop
	ADDRESS	area, %g4
	stx	%g0, [%g4 + WINDOW_LEFT]
	/* A window that the kernel opened and left: this one's %fp is the stack pointer of the guard's. */
	ldx	[%g4 + SAVED_SP], %g1
	cmp	%sp, %g1
	be,pt	%xcc, 1f
	 cmp	%fp, %g1
	bne,pt	%xcc, 1f
	 nop
	restore
	stx	%g1, [%g4 + WINDOW_LEFT]
1:
	ADDRESS	guard_integer, %g1
	stx	%o0, [%g1]
	ADDRESS	guard_double, %g1
	std	%f0, [%g1]
	clr	%o4
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7
	CHECK	%l\n, 0x100 + \n, 1 << \n
	.endr
	.irp	n, 0, 1, 2, 3
	CHECK	%i\n, 0x200 + \n, 1 << (8 + \n)
	.endr
	sethi	%hi(1 << 12), %o3
	CHECK	%i4, 0x204, %o3
	CHECK	%i5, 0x205, %o3
	sethi	%hi(1 << 14), %o3
	CHECK	%g2, 0x302, %o3
	CHECK	%g3, 0x303, %o3
	CHECK_SAVED %g6, SAVED_G6, %o3
	CHECK_SAVED %g7, SAVED_G7, %o3
	sethi	%hi(1 << 15), %o3
	CHECK_SAVED %sp, SAVED_SP, %o3
	CHECK_SAVED %fp, SAVED_FP, %o3
	CHECK_SAVED %g0, WINDOW_LEFT, %o3
	stx	%fsr, [%g4 + FSR_AFTER]
	ldx	[%g4 + FSR_AFTER], %g1
	ldx	[%g4 + FSR_BEFORE], %o5
	xor	%g1, %o5, %o5
	sethi	%hi(0xcfc00000), %g5		/* RD, TEM, NS */
	and	%o5, %g5, %o5
	sethi	%hi(1 << 13), %o3
	CHECK	%o5, 0, %o3
	ldx	[%g4 + FSR_BEFORE], %fsr
	srlx	%g1, 5, %g1
	and	%g1, 31, %g1
	sllx	%g1, 16, %g1
	or	%o4, %g1, %o4
	ldx	[%g4 + SAVED_G2], %g2
	ldx	[%g4 + SAVED_G3], %g3
	ldx	[%g4 + SAVED_SP], %sp
	ldx	[%g4 + SAVED_FP], %fp
	ldx	[%g4 + SAVED_RETURN], %i7
	mov	%o4, %i0
	ret
	 restore
	.size	guard_call, . - guard_call

	.global	spoils_locals, spoils_ins, spoils_application_registers, moves_stack, leaves_a_window, rounds_to_zero, divides_by_zero
spoils_locals:
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7
	inc	%l\n
	.endr
	retl
	 nop
spoils_ins:
	.irp	n, 0, 1, 2, 3, 4, 5
	inc	%i\n
	.endr
	retl
	 nop
spoils_application_registers:
	retl
	 inc	%g3
moves_stack:
	retl
	 sub	%sp, 176, %sp
leaves_a_window:
	save	%sp, -176, %sp
	jmpl	%i7 + 8, %g0
	 nop
/* The six places behind the window's own are for the called (SPARC Compliance Definition 2.4, 3P). */
rounds_to_zero:
	stx	%fsr, [%sp + 2047 + 128]
	ldx	[%sp + 2047 + 128], %g1
	sethi	%hi(1 << 30), %g5
	xor	%g1, %g5, %g1
	stx	%g1, [%sp + 2047 + 128]
	retl
	 ldx	[%sp + 2047 + 128], %fsr
divides_by_zero:
	rd	%pc, %g5
	ba,pt	%xcc, 1f
	 ld	[%g5 + 12], %f0
	.word	0x3ff00000, 0
1:	ld	[%g5 + 16], %f1
	ld	[%g5 + 16], %f2
	ld	[%g5 + 16], %f3
	retl
	 fdivd	%f0, %f2, %f0

	.global	guard_integer, guard_double
	.section ".bss"
	.align	8
area:	.skip	AREA_SIZE
guard_integer: .skip 8
guard_double: .skip 8
	.section .note.GNU-stack,"",@progbits
