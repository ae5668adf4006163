//@ kernel: div; instruction: integer divide, dependent; resource: integer divider; sharing: core; ops: 8; body: div %rcx
/* Divides %rdx:%rax, so the operands have to reproduce themselves: by 1 the quotient is the dividend and the remainder 0, and
 * every division is the same. A dividend of 61 bits keeps divisors whose time depends on the quotient's length on their
 * long path. Up to 90 cycles each on older cores: 8 keep a turn below 0.3 % of a quantum. */
#include "asm/x86_64/kernel.inc"

	KERNEL	div
	mov	$0x1234567890abcdef, %rax
	xor	%edx, %edx
	mov	$1, %ecx
	BODY	div
	.rept	8
	div	%rcx
	.endr
	LOOP	div
	END	div
