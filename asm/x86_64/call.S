//@ kernel: call; instruction: call and return; resource: return address stack and store forwarding; sharing: pipeline; ops: 128; body: call [0-9a-f]+.*
/* One operation is a pair: the call in the body, and the return that stands before the kernel. */
#include "asm/x86_64/kernel.inc"

	.text
	.p2align 6
leaf:
	ret

	KERNEL	call
	BODY	call
	.rept	128
	call	leaf
	.endr
	LOOP	call
	END	call
