/* For the tests: linked with --wrap=bare_tell_facts, the runtime tells its facts and then traps. */
	.section .text
	.global	__wrap_bare_tell_facts, trap_here
__wrap_bare_tell_facts:
	save	%sp, -176, %sp
	call	__real_bare_tell_facts
	 mov	%i0, %o0
trap_here:
	illtrap	0
	.section .note.GNU-stack,"",@progbits
