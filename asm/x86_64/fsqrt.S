//@ kernel: fsqrt; instruction: square root, scalar double, dependent; resource: floating-point divider; sharing: core; ops: 16; body: sqrtsd %xmm1,%xmm0
/* Of a constant, since a chain of roots ends in 1.0. They still wait for each other: the upper half of the result is the
 * register's old one. */
#include "asm/x86_64/kernel.inc"

	KERNEL	fsqrt
	mov	$0x400921fb54442d18, %rax	/* pi */
	movq	%rax, %xmm1
	pxor	%xmm0, %xmm0
	BODY	fsqrt
	.rept	16
	sqrtsd	%xmm1, %xmm0
	.endr
	LOOP	fsqrt
	END	fsqrt
