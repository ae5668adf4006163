/* uint64_t timer_read(void): the time-stamp counter. The first fence waits until every earlier instruction has completed,
 * the second keeps every later one waiting until the counter was read (Intel SDM vol. 2, RDTSC; AMD APM vol. 3: LFENCE is
 * dispatch-serialising). The measurements behind the choice stand in docs/measuring.md. */
	.text
	.globl	timer_read
	.type	timer_read, @function
	.p2align 6
timer_read:
	lfence
	rdtsc
	lfence
	shl	$32, %rdx
	or	%rdx, %rax
	ret
	.size	timer_read, . - timer_read
	.section .note.GNU-stack, "", @progbits
