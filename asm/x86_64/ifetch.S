//@ kernel: ifetch; instruction: no operation of 8 bytes; resource: level-1 instruction cache and fetch from L2; sharing: core; ops: 128; body: nopl 0x0\(%rax,%rax,1\)
/* 192 KB straight ahead, more than any L1I and less than any L2, in blocks of 1 KB. Every call begins at the first block, and
 * a repetition of 100 us goes round several times. At 96 to 160 KB a pass took one of two times, 0.7 % apart
 * (virtualised Zen 3, cmtnoise run --kernel ifetch). */
#include "asm/x86_64/kernel.inc"

	KERNEL	ifetch
	BODY	ifetch
	.rept	191
	.rept	128
	.byte	0x0f, 0x1f, 0x84, 0x00, 0, 0, 0, 0
	.endr
	NEXT	ifetch
	.endr
	.rept	128
	.byte	0x0f, 0x1f, 0x84, 0x00, 0, 0, 0, 0
	.endr
	LOOP	ifetch
	END	ifetch
