//@ kernel: window; instruction: register window save and restore; resource: register windows; sharing: pipeline; ops: 64; body: save %sp, -176, %sp|restore
/* One operation is half a pair: into a new window and back at once. So one free window is enough: only the first save of a call can
 * spill another, into the stack, and what runs the spill is the OS's. The frame is the least that the ABI allows. Both are
 * window instructions, one type; the proof asks that they alternate. T1 (modelled): 4 cycles each. */
#include "asm/sparcv9/kernel.inc"

	KERNEL	window
	BODY	window
	.rept	32
	save	%sp, -176, %sp
	restore
	.endr
	LOOP	window
	END	window
