/* For the tests: as illegal_instruction.S, with a load from an odd address. */
	.section .text
	.global	__wrap_bare_tell_facts, trap_here
__wrap_bare_tell_facts:
	save	%sp, -176, %sp
	call	__real_bare_tell_facts
	 mov	%i0, %o0
	set	trap_here + 1, %o0
trap_here:
	ldx	[%o0], %o1
	.section .note.GNU-stack,"",@progbits
