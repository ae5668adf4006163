//@ kernel: vfma; instruction: fused multiply-add, double, independent; resource: floating-point multiply-add units; sharing: core; ops: 64; needs: fmaf; body: fmaddd %f0, %f2, %f(4|6|8|10|12|14|16|18), %f(4|6|8|10|12|14|16|18)
/* Eight chains; each adds 1.0 times 1.0. T1 has no such instruction; SPARC64 VI, SPARC T3 and later have. */
#include "asm/sparcv9/kernel.inc"

	KERNEL	vfma
	LOAD_DOUBLE 0x3ff00000, 0, 0, 1
	LOAD_DOUBLE 0x3ff00000, 0, 2, 3
	.irp	n, 4, 6, 8, 10, 12, 14, 16, 18
	fmovd	%f0, %f\n
	.endr
	BODY	vfma
	.rept	8
	.irp	n, 4, 6, 8, 10, 12, 14, 16, 18
	fmaddd	%f0, %f2, %f\n, %f\n
	.endr
	.endr
	LOOP	vfma
	fmovd	%f4, %f0
	END	vfma
