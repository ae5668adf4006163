/* For the tests: linked with --wrap=bare_strand, a strand that was started has a stack that takes not even a trap's frame. */
	.text
	.globl	__wrap_bare_strand, trap_here
__wrap_bare_strand:
	movabs	$0x7f0000001230, %rsp
trap_here:
	push	%rax
	ud2
	.section .note.GNU-stack, "", @progbits
