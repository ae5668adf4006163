//@ kernel: timer; instruction: read of the tick counter; resource: tick counter; sharing: core; ops: 16; body: rd %tick, %g1
/* The read alone. Where it is trapped, a turn takes microseconds, and calibration says so. Cycles on T1 are not known. */
#include "asm/sparcv9/kernel.inc"

	KERNEL	timer
	BODY	timer
	.rept	16
	rd	%tick, %g1
	.endr
	LOOP	timer
	END	timer, %g1
