/*
 * unsigned guard_call(kernel_function *kernel, uint64_t iterations, void *operand): see guard.h.
 *
 * Bits of what the System V ABI asks to preserve: 0-5 %rbx %rbp %r12-%r15, 6 the stack pointer, 7 the direction flag, 8 the x87 control word, 9 the control
 * bits of MXCSR. Bits 16-21 are the MXCSR exception flags that the kernel raised (invalid, denormal, division by zero,
 * overflow, underflow, inexact).
 *
 *   0(%rsp)  MXCSR before, exception flags clear      4(%rsp)  x87 control word before      8(%rsp)  what is read after
 */
	.macro	SET_IF_DIFFERENT bit
	setne	%cl
	movzbl	%cl, %ecx
	shl	$\bit, %ecx
	or	%ecx, %eax
	.endm

	.macro	CHECK register, value, bit
	mov	$\value, %rdx
	cmp	%rdx, %\register
	SET_IF_DIFFERENT \bit
	.endm

	.text
	.globl	guard_call
	.type	guard_call, @function
guard_call:
	.irp	register, rbx, rbp, r12, r13, r14, r15
	push	%\register
	.endr
	sub	$24, %rsp
	stmxcsr	(%rsp)
	andl	$~0x3f, (%rsp)
	ldmxcsr	(%rsp)
	fnstcw	4(%rsp)
	mov	%rdi, %r11
	mov	%rsi, %rdi
	mov	%rdx, %rsi
	mov	%rsp, saved_rsp(%rip)
	/* Several kernels begin with whatever is in the register. */
	mov	guard_integer(%rip), %rax
	mov	%rax, %rcx
	mov	$0x1111111111111111, %rbx
	mov	$0x2222222222222222, %rbp
	mov	$0x3333333333333333, %r12
	mov	$0x4444444444444444, %r13
	mov	$0x5555555555555555, %r14
	mov	$0x6666666666666666, %r15
	call	*%r11
	mov	%rax, guard_integer(%rip)
	movq	%xmm0, guard_double(%rip)
	pushf
	pop	%rax
	cld
	shr	$3, %eax		/* the direction flag is bit 10 */
	and	$1 << 7, %eax
	cmp	saved_rsp(%rip), %rsp
	SET_IF_DIFFERENT 6
	mov	saved_rsp(%rip), %rsp
	CHECK	rbx, 0x1111111111111111, 0
	CHECK	rbp, 0x2222222222222222, 1
	CHECK	r12, 0x3333333333333333, 2
	CHECK	r13, 0x4444444444444444, 3
	CHECK	r14, 0x5555555555555555, 4
	CHECK	r15, 0x6666666666666666, 5
	fnstcw	8(%rsp)
	mov	8(%rsp), %cx
	cmp	4(%rsp), %cx
	SET_IF_DIFFERENT 8
	fldcw	4(%rsp)
	stmxcsr	8(%rsp)
	mov	8(%rsp), %edx
	xor	(%rsp), %edx
	test	$~0x3f, %edx
	SET_IF_DIFFERENT 9
	ldmxcsr	(%rsp)
	and	$0x3f, %edx		/* the flags were clear, so what differs was raised */
	shl	$16, %edx
	or	%edx, %eax
	add	$24, %rsp
	.irp	register, r15, r14, r13, r12, rbp, rbx
	pop	%\register
	.endr
	ret
	.size	guard_call, . - guard_call

	.globl	spoils_registers, moves_stack, sets_direction, sets_x87_control, sets_mxcsr_control, raises_denormal
spoils_registers:
	.irp	register, rbx, rbp, r12, r13, r14, r15
	inc	%\register
	.endr
	ret
moves_stack:
	pop	%rax
	sub	$16, %rsp
	jmp	*%rax
sets_direction:
	std
	ret
sets_x87_control:
	fnstcw	-8(%rsp)
	xorw	$0x0c00, -8(%rsp)	/* rounding */
	fldcw	-8(%rsp)
	ret
sets_mxcsr_control:
	stmxcsr	-8(%rsp)
	xorl	$0x8000, -8(%rsp)	/* flush to zero */
	ldmxcsr	-8(%rsp)
	ret
raises_denormal:
	mov	$1, %eax
	movq	%rax, %xmm0
	addsd	%xmm0, %xmm0
	ret

	.bss
	.balign	8
	.globl	guard_integer, guard_double
saved_rsp:
	.skip	8
guard_integer:
	.skip	8
guard_double:
	.skip	8
	.section .note.GNU-stack, "", @progbits
