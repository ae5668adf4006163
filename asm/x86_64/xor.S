//@ kernel: xor; instruction: exclusive or, dependent; resource: integer ALU latency; sharing: pipeline; ops: 256; body: xor %rcx,%rax
/* Two different registers: xor of a register with itself is a zeroing idiom, which does not execute. */
#include "asm/x86_64/kernel.inc"

	KERNEL	xor
	BODY	xor
	.rept	256
	xor	%rcx, %rax
	.endr
	LOOP	xor
	END	xor
