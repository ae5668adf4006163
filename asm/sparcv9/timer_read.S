/* uint64_t timer_read(void): %tick, without its bit 63 (non-privileged trap). The first barrier waits until every earlier instruction,
 * not only every earlier access to memory, has completed; the second keeps every later one waiting until the counter was
 * read (The SPARC Architecture Manual, Version 9, A.32: membar #Sync). */
	.section .text
	.global	timer_read
	.type	timer_read, #function
	.align	64
timer_read:
	membar	#Sync
	rd	%tick, %o0
	membar	#Sync
	sllx	%o0, 1, %o0
	retl
	 srlx	%o0, 1, %o0
	.size	timer_read, . - timer_read
	.section .note.GNU-stack,"",@progbits
