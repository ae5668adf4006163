//@ kernel: store_l1; instruction: store; resource: store port and level-1 data cache; sharing: core; ops: 256; operand: scratch; body: mov %rax,(0x[0-9a-f]+)?\(%rsi\)
/* 256 places of 8 bytes: they stay in L1, and no store covers the one before. */
#include "asm/x86_64/kernel.inc"

	KERNEL	store_l1
	BODY	store_l1
	.set	.Loffset, 0
	.rept	256
	mov	%rax, .Loffset(%rsi)
	.set	.Loffset, .Loffset + 8
	.endr
	LOOP	store_l1
	END	store_l1
