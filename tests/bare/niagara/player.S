/*
 * For the tests: something that is to a client program what OpenBoot is. The tests' hypervisor enters it at real address
 * PLAYER_REAL with translation off; it is linked for PLAYER_VIRTUAL, maps itself there, turns translation on and goes on in player.c.
 * Traps are served by the runtime's own table, so that its tick plays OpenBoot's clock.
 */
#include "domains/bare/niagara/hypervisor.h"
#include "domains/bare/niagara/layout.h"
#include "tests/bare/niagara/player.h"

	.register %g2, #scratch
	.register %g3, #scratch

	.section .start, "ax"
	.global	player_start
player_start:
	wrpr	%g0, 0, %tl
	wrpr	%g0, 0, %gl
	wrpr	%g0, PIL_NOTHING, %pil
	wrpr	%g0, PSTATE_QUIET, %pstate
	wrpr	%g0, 0, %cwp
	wrpr	%g0, 0, %canrestore
	wrpr	%g0, 0, %otherwin
	wrpr	%g0, 6, %cansave
	wrpr	%g0, 7, %cleanwin
	wrpr	%g0, 0, %wstate
	wr	%g0, 4, %fprs
	mov	HV_GROUP_CORE, %o0
	mov	1, %o1
	mov	1, %o2
	mov	HV_SET_VERSION, %o5
	ta	HV_CORE_TRAP
	set	PLAYER_VIRTUAL, %o0
	mov	0, %o1
	set	PLAYER_REAL, %o2
	mov	1, %g2
	sllx	%g2, 63, %g2
	or	%o2, %g2, %o2
	or	%o2, TTE_MEMORY, %o2
	mov	3, %o3
	mov	MMU_MAP_PERM_ADDR, %o5
	ta	HV_FAST_TRAP
	mov	1, %o0
	set	1f, %o1
	mov	HV_MMU_ENABLE, %o5
	ta	HV_FAST_TRAP

1:	set	niagara_traps, %g2
	wrpr	%g2, %tba
	set	player_strand, %g2
	stxa	%g2, [%g0] 0x20
	set	stack + STACK_BYTES - STACK_BIAS - LEAST_FRAME, %sp
	clr	%fp
	call	player_main
	 clr	%i7

	.section .text
/* (entry, handler): all registers 0 but for the stack and the handler, as (init-program) in OpenBoot's obp/arch/sun4u/go.fth has
 * them; a clock that is armed, and an interrupt that waits. */
	.global	player_enter
player_enter:
	mov	%o0, %g2
	mov	%o1, %g3		! another window has others
	mov	1, %o0
	sllx	%o0, 40, %o0
	wr	%o0, 0, %asr25		! %stick_cmpr, some day
	wr	%g0, 2, %set_softint	! level 1, which %pil keeps away
	wrpr	%g0, 0, %cwp
	wrpr	%g0, 0, %canrestore
	wrpr	%g0, 6, %cansave
	mov	%g3, %o4
	set	client_stack + STACK_BYTES - STACK_BIAS - LEAST_FRAME, %sp
	.irp	register, o0, o1, o2, o3, o5, o7, i0, i1, i2, i3, i4, i5, i6, i7
	clr	%\register
	.endr
	clr	%g3
	jmp	%g2
	 clr	%g2

	.section .bss
	.align	64
stack:	.skip	STACK_BYTES
client_stack:
	.skip	STACK_BYTES
	.section .note.GNU-stack,"",@progbits
