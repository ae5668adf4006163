/* reset.bin: the power-on reset of the emulated T1. It begins at 0xfff0000000 (QEMU, hw/sparc64/niagara.c), hyperprivileged, with
 * the MMU off; power_on_reset, trap type 1, is 0x20 further on. There is no other firmware: the image is in memory already. */
#include "domains/bare/niagara/layout.h"

	.section .text
	.skip	0x20
	sethi	%hi(RESET_MAGIC_HIGH), %g1
	or	%g1, %lo(RESET_MAGIC_HIGH), %g1
	sllx	%g1, 32, %g1
	sethi	%hi(RESET_MAGIC_LOW), %g4
	or	%g4, %lo(RESET_MAGIC_LOW), %g4
	or	%g1, %g4, %g1
	sethi	%hi(niagara_start), %g4
	jmp	%g4 + %lo(niagara_start)
	 nop
	.section .note.GNU-stack,"",@progbits
