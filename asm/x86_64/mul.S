//@ kernel: mul; instruction: integer multiply, dependent; resource: integer multiplier; sharing: pipeline; ops: 128; body: imul %rcx,%rax
/* 64-bit, three or four cycles each. An odd factor keeps the product from running out of bits and staying zero. */
#include "asm/x86_64/kernel.inc"

	KERNEL	mul
	mov	$0x5deece66d, %rcx
	mov	$1, %eax
	BODY	mul
	.rept	128
	imul	%rcx, %rax
	.endr
	LOOP	mul
	END	mul
