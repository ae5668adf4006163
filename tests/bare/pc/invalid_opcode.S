/* For the tests: linked with --wrap=bare_strand, a strand that was started traps. */
	.text
	.globl	__wrap_bare_strand, trap_here
__wrap_bare_strand:
trap_here:
	ud2
	.section .note.GNU-stack, "", @progbits
