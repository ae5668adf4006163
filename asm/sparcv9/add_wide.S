//@ kernel: add_wide; instruction: integer add, independent; resource: issue slots and integer ALUs; sharing: pipeline; ops: 256; body: add %(g1|g4|g5|o1|o2|o3|o4|o5), %o0, %(g1|g4|g5|o1|o2|o3|o4|o5)
/* Eight chains that do not wait for each other: as many a cycle as the core issues. T1 (modelled): 1 cycle each, as it issues one
 * a cycle for all its strands. */
#include "asm/sparcv9/kernel.inc"

	KERNEL	add_wide
	.irp	register, g1, g4, g5, o1, o2, o3, o4, o5
	clr	%\register
	.endr
	BODY	add_wide
	.rept	32
	.irp	register, g1, g4, g5, o1, o2, o3, o4, o5
	add	%\register, %o0, %\register
	.endr
	.endr
	LOOP	add_wide
	END	add_wide, %g1
