//@ kernel: fdiv; instruction: floating-point divide, scalar double, dependent; resource: floating-point divider; sharing: core; ops: 16; body: divsd %xmm[12],%xmm0
/* By 1.7 and by 1/1.7 in turn, so that the quotients repeat and stay ordinary numbers; a divisor with few bits would let
 * dividers end early. */
#include "asm/x86_64/kernel.inc"

	KERNEL	fdiv
	mov	$0x3ffb333333333333, %rax	/* 1.7 */
	movq	%rax, %xmm1
	mov	$0x3fe2d2d2d2d2d2d3, %rax	/* 1 / 1.7 */
	movq	%rax, %xmm2
	mov	$0x400921fb54442d18, %rax	/* pi */
	movq	%rax, %xmm0
	BODY	fdiv
	.rept	8
	divsd	%xmm1, %xmm0
	divsd	%xmm2, %xmm0
	.endr
	LOOP	fdiv
	END	fdiv
