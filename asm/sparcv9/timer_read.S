/* The counter: %tick. */
#include "asm/sparcv9/timer.inc"

	TIMER_READ %tick
	.section .note.GNU-stack,"",@progbits
