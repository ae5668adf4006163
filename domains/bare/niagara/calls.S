/* What C has no words for: registers of the strand, and traps to the hypervisor. */
#include "domains/bare/niagara/hypervisor.h"
#include "domains/bare/niagara/layout.h"

	.register %g2, #scratch

	.macro	FUNCTION name
	.section .text
	.align	32
	.global	\name
	.type	\name, #function
\name:
	.endm

	.macro	END name
	.size	\name, . - \name
	.endm

	FUNCTION niagara_self
	retl
	 ldxa	[%g0] 0x20, %o0		! ASI_SCRATCHPAD, register 0
	END	niagara_self

	FUNCTION niagara_set_self
	retl
	 stxa	%o0, [%g0] 0x20
	END	niagara_set_self

	FUNCTION niagara_strand_status
	retl
	 rd	%asr26, %o0
	END	niagara_strand_status

/* The first tick is due in a period from now. */
	FUNCTION niagara_tick_on
	ldxa	[%g0] 0x20, %g1
	ldx	[%g1 + STRAND_PERIOD], %g2
	rd	%tick, %o1
	sllx	%o1, 1, %o1
	srlx	%o1, 1, %o1
	add	%o1, %g2, %o1
	wr	%o1, 0, %tick_cmpr
	wr	%g0, 1, %clear_softint	! none that was left over
	wrpr	%g0, PIL_TICK, %pil
	retl
	 wrpr	%g0, PSTATE_TICKING, %pstate
	END	niagara_tick_on

	FUNCTION niagara_tick_off
	wrpr	%g0, PSTATE_QUIET, %pstate
	wrpr	%g0, PIL_NOTHING, %pil
	mov	1, %o1
	sllx	%o1, 63, %o1
	wr	%o1, 0, %tick_cmpr
	retl
	 wr	%g0, 1, %clear_softint
	END	niagara_tick_off

/* (function, four arguments, where the first value goes). A frame of its own: what is in local registers the hypervisor leaves
 * alone, whatever it does to the globals. */
	.macro	CALL name, trap
	FUNCTION \name
	save	%sp, -LEAST_FRAME, %sp
	mov	%i1, %o0
	mov	%i2, %o1
	mov	%i3, %o2
	mov	%i4, %o3
	mov	%i0, %o5
	ta	\trap
	stx	%o1, [%i5]
	ret
	 restore %o0, 0, %o0
	END	\name
	.endm

	CALL	niagara_call, HV_FAST_TRAP
	CALL	niagara_core_call, HV_CORE_TRAP
	.section .note.GNU-stack,"",@progbits
