//@ kernel: call; instruction: call and return; resource: branch unit, return address; sharing: pipeline; ops: 24; body: call [0-9a-f]+.*
/* One operation is a pair: the call in the body, and the return that stands before the kernel. The kernel's own return address is
 * kept meanwhile. T1 (modelled): 6 cycles a pair, and one for each of the two delay slots. */
#include "asm/sparcv9/kernel.inc"

	.section .text
	.align	64
leaf:
	retl
	 nop

	KERNEL	call
	mov	%o7, %g4
	BODY	call
	.rept	24
	call	leaf
	 nop
	.endr
	LOOP	call
	mov	%g4, %o7
	END	call
