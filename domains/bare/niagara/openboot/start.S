/*
 * The first of the loader, an OpenBoot client program, and its header.
 *
 * OpenBoot takes a file for an a.out by the 0407 in its header, moves what follows the header to the entry's address, and starts
 * it there: 64 bits, privileged, translation and interrupts on, OpenBoot's own traps and stack, the client interface's handler in
 * %o4 (its source for sun4v: obp/arch/sun4u/go.fth, (init-program) and execute-buffer; Linux, arch/sparc/boot/piggyback.c, writes
 * the same header). The first 10 MB of virtual memory, with load-base in it, are some stretch of real memory that OpenBoot chose
 * (obp/arch/sun4u/unixmap.fth).
 */
#include "domains/bare/niagara/layout.h"

	.section .aout, "a"
	.word	0x01030107		! SPARC, OMAGIC
	.word	openboot_text_bytes
	.word	0, 0, 0			! data, bss, symbols: all is text
	.word	openboot_start
	.word	0, 0

	.section .start, "ax"
	.global	openboot_start
	.type	openboot_start, #function
openboot_start:
	save	%sp, -LEAST_FRAME, %sp
	call	openboot_main
	 mov	%i4, %o0
	ta	1			! it does not return
	.size	openboot_start, . - openboot_start

	.section .text
/* No interrupt reaches the strand from here on: OpenBoot's clock, 100 times a second by %stick_cmpr (obp/arch/sun4v/forthint.fth),
 * would find the runtime's trap table, and a software interrupt that it left would be taken for the runtime's own tick. */
	.global	openboot_quiet
	.type	openboot_quiet, #function
openboot_quiet:
	wrpr	%g0, PIL_NOTHING, %pil
	wrpr	%g0, PSTATE_QUIET, %pstate
	mov	1, %o0
	sllx	%o0, 63, %o0		! bit 63: none
	wr	%o0, 0, %tick_cmpr
	wr	%o0, 0, %asr25		! %stick_cmpr
	retl
	 wr	%g0, -1, %clear_softint
	.size	openboot_quiet, . - openboot_quiet

/* (address, bytes): instructions that were stored there can be fetched. */
	.global	openboot_flush
	.type	openboot_flush, #function
openboot_flush:
	membar	#StoreStore
1:	flush	%o0
	subcc	%o1, 8, %o1
	bgu,pt	%xcc, 1b
	 add	%o0, 8, %o0
	retl
	 nop
	.size	openboot_flush, . - openboot_flush
	.section .note.GNU-stack,"",@progbits
