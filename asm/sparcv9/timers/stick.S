/* TIMER=stick: the system's counter (%asr24), for SPARCs whose %tick changes its rate with the clock, or may not be read by programs
 * (UltraSPARC III and later; not on a T1's predecessors). */
#include "asm/sparcv9/timer.inc"

	TIMER_READ %asr24

/* It is there to keep one rate. */
	.global	isa_timer_variance
	.type	isa_timer_variance, #function
isa_timer_variance:
	retl
	 clr	%o0
	.size	isa_timer_variance, . - isa_timer_variance

	.section .rodata
	.global	isa_timer_name
	.type	isa_timer_name, #object
isa_timer_name:
	.asciz	"stick (membar;rd %asr24;membar)"
	.size	isa_timer_name, . - isa_timer_name
	.section .note.GNU-stack,"",@progbits
