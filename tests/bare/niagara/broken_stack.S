/* For the tests: as illegal_instruction.S, with a stack pointer that no window can be spilt to: a trap inside of a trap. */
	.section .text
	.global	__wrap_bare_tell_facts
__wrap_bare_tell_facts:
	save	%sp, -176, %sp
	call	__real_bare_tell_facts
	 mov	%i0, %o0
	.rept	8
	save	%g0, 4, %sp
	.endr
	.section .note.GNU-stack,"",@progbits
