/* For the tests: linked with --wrap=bare_strand, a strand that was started reads what is not mapped. */
	.text
	.globl	__wrap_bare_strand, trap_here
__wrap_bare_strand:
	movabs	$0x7f0000001230, %rdx
trap_here:
	mov	(%rdx), %rax
	ud2
	.section .note.GNU-stack, "", @progbits
