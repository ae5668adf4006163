//@ kernel: timer; instruction: read of the time-stamp counter; resource: time-stamp counter; sharing: core; ops: 8; body: rdtsc
/* Not serialised: the read alone. Where a hypervisor traps it, a turn takes microseconds, and calibration says so. */
#include "asm/x86_64/kernel.inc"

	KERNEL	timer
	BODY	timer
	.rept	8
	rdtsc
	.endr
	LOOP	timer
	END	timer
