/* Multiboot Specification 0.6.96, 3.1: aligned modules, memory information. */
	.set	FLAGS, 3
	.section .multiboot, "a"
	.align	4
	.long	0x1badb002, FLAGS, -(0x1badb002 + FLAGS)
	.section .note.GNU-stack, "", @progbits
