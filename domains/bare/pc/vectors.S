/*
 * The 256 ways into the machine's own code: exceptions end everything with a report, the tick counts, anything else is ignored.
 * Interrupted code notices nothing but the time: the tick keeps every register that it uses, and uses no others.
 *
 * %gs points to the strand's struct pc_strand (pc.h): ticks 0, path 8, x2apic 16.
 */
	.set	TICK, 0x40
	.set	X2APIC_EOI, 0x80b
	.set	APIC_EOI, 0xfee000b0

	.text
	.altmacro
	.macro	VECTOR number
vector_\number:
	.if	!(\number == 8 || (\number >= 10 && \number <= 14) || \number == 17 || \number == 21 || \number == 29 || \number == 30)
	push	$0		/* where the CPU pushes no error code */
	.endif
	push	$\number
	jmp	fault
	.endm

	.set	number, 0
	.rept	32
	VECTOR	%number
	.set	number, number + 1
	.endr

/* (vector, error code, %rip, ...) on the stack. */
fault:
	pop	%rdi
	pop	%rsi
	mov	(%rsp), %rdx
	and	$-16, %rsp
	cld
	call	pc_fault
	ud2

tick:
	push	%rax
	push	%rcx
	push	%rdx
	incq	%gs:0
	mov	%gs:8, %rax
1:	dec	%rax
	jg	1b
	jmp	done

/* One end of interrupt too many does no harm: no handler is ever interrupted. */
ignore:
	push	%rax
	push	%rcx
	push	%rdx
done:
	cmpb	$0, %gs:16
	je	2f
	xor	%eax, %eax
	xor	%edx, %edx
	mov	$X2APIC_EOI, %ecx
	wrmsr
	jmp	3f
2:	mov	$APIC_EOI, %eax
	movl	$0, (%rax)
3:	pop	%rdx
	pop	%rcx
	pop	%rax
spurious:
	iretq

	.macro	ADDRESS number
	.quad	vector_\number
	.endm

/* uint64_t pc_vectors[256] */
	.section .rodata
	.align	8
	.globl	pc_vectors
pc_vectors:
	.set	number, 0
	.rept	32
	ADDRESS	%number
	.set	number, number + 1
	.endr
	.rept	TICK - 32
	.quad	ignore
	.endr
	.quad	tick
	.rept	254 - TICK
	.quad	ignore
	.endr
	.quad	spurious	/* PC_SPURIOUS_VECTOR */
	.section .note.GNU-stack, "", @progbits
