//@ kernel: shift; instruction: shift left, dependent; resource: shifter latency; sharing: pipeline; ops: 256; body: shl \$0x3,%rax
/* By a constant other than 1, which has an encoding and on some cores a path of its own. */
#include "asm/x86_64/kernel.inc"

	KERNEL	shift
	BODY	shift
	.rept	256
	shl	$3, %rax
	.endr
	LOOP	shift
	END	shift
