//@ kernel: vadd; instruction: vector add, SSE2, two doubles; resource: vector adders; sharing: core; ops: 256; body: addpd %xmm8,%xmm[0-7]
/* Eight chains, enough to fill two adders of four cycles. 1.0 + 1.0 + ...: exact and ordinary. */
#include "asm/x86_64/kernel.inc"

	KERNEL	vadd
	mov	$0x3ff0000000000000, %rax
	movq	%rax, %xmm8
	punpcklqdq %xmm8, %xmm8
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7
	movapd	%xmm8, %xmm\n
	.endr
	BODY	vadd
	.rept	32
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7
	addpd	%xmm8, %xmm\n
	.endr
	.endr
	LOOP	vadd
	END	vadd
