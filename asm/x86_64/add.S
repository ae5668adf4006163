//@ kernel: add; instruction: integer add, dependent; resource: integer ALU latency; sharing: pipeline; ops: 256; body: add %rcx,%rax
/* Each add waits for the one before: one a cycle on every x86-64, so this loop is also a clock of the core's frequency. From
 * a register: small constants are added while registers are renamed on some cores (Golden Cove), several a cycle. */
#include "asm/x86_64/kernel.inc"

	KERNEL	add
	mov	$1, %ecx
	BODY	add
	.rept	256
	add	%rcx, %rax
	.endr
	LOOP	add
	END	add
