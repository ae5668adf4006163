/* For the tests: linked with --wrap=bare_strand, a strand that was started gets interrupts that nobody asked for, loses no
 * register to them, and goes on. */
	.text
	.globl	__wrap_bare_strand
__wrap_bare_strand:
	sub	$8, %rsp
	mov	$0x1111, %eax
	mov	$0x2222, %ecx
	mov	$0x3333, %edx
	mov	%rsp, %rbx
	int	$0x20
	int	$0x27
	int	$0x41
	int	$0xfe
	int	$0xff
	cmp	$0x1111, %eax
	jne	1f
	cmp	$0x2222, %ecx
	jne	1f
	cmp	$0x3333, %edx
	jne	1f
	cmp	%rsp, %rbx
	jne	1f
	call	__real_bare_strand
1:	ud2
	.section .note.GNU-stack, "", @progbits
