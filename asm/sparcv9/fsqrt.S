//@ kernel: fsqrt; instruction: square root, double; resource: floating-point divider; sharing: chip; ops: 2; needs: fsqrt; body: fsqrtd %f2, %f0
/* Of a constant, since a chain of roots ends in 1.0. T1 has no square root in hardware: there the OS computes it in a trap, so the
 * kernel is left out. */
#include "asm/sparcv9/kernel.inc"

	KERNEL	fsqrt
	LOAD_DOUBLE 0x400921fb, 0x54442d18, 2, 3	/* pi */
	BODY	fsqrt
	.rept	2
	fsqrtd	%f2, %f0
	.endr
	LOOP	fsqrt
	END	fsqrt
