//@ kernel: fadd; instruction: floating-point add, scalar double, dependent; resource: floating-point adder latency; sharing: core; ops: 64; body: addsd %xmm1,%xmm0
/* 1.0 + 1.0 + ...: exact up to 2^53 of them, which no repetition comes near. */
#include "asm/x86_64/kernel.inc"

	KERNEL	fadd
	mov	$0x3ff0000000000000, %rax
	movq	%rax, %xmm0
	movq	%rax, %xmm1
	BODY	fadd
	.rept	64
	addsd	%xmm1, %xmm0
	.endr
	LOOP	fadd
	END	fadd
