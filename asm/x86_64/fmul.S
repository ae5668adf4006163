//@ kernel: fmul; instruction: floating-point multiply, scalar double, dependent; resource: floating-point multiplier latency; sharing: core; ops: 64; body: mulsd %xmm1,%xmm0
/* 1.5 times 1.0: any other factor would end in infinity or in denormals. The time of a multiplication does not depend on it. */
#include "asm/x86_64/kernel.inc"

	KERNEL	fmul
	mov	$0x3ff8000000000000, %rax
	movq	%rax, %xmm0
	mov	$0x3ff0000000000000, %rax
	movq	%rax, %xmm1
	BODY	fmul
	.rept	64
	mulsd	%xmm1, %xmm0
	.endr
	LOOP	fmul
	END	fmul
