/*
 * For the tests: the least that a sun4v hypervisor is to the runtime. The reset image is linked to begin here, in the hypervisor's
 * memory (-Ttext=0x100000); this enters the image privileged, without RESET_MAGIC, and serves its calls. What it says for itself goes
 * to the same UART, in lines that begin with [hypervisor].
 *
 *   -DHAS_ALL=1       all of the calls, but only once a version was agreed on; CONS_PUTCHAR refuses every fifth time
 *   -DHAS_ALL=0       CONS_PUTCHAR, and EBADTRAP for everything else
 *
 *   -DPLAYER=0x...    enters what is there, in real memory, instead of the image, and has the calls that an OpenBoot and its client
 *                     make besides: mapping, translation on and off, stopping strands 1 to 7 (5 is stopped already), queues
 *   -DKEEPS_MMU=1     does not turn translation off
 *
 * The guest's trap globals are spoilt at each call: a hypervisor may use them.
 */
#include "domains/bare/niagara/hypervisor.h"

#define UART_HIGH 0x1f
#define UART_LOW 0x10000000
#ifdef PLAYER
#define GUEST PLAYER
#else
#define GUEST 0x80000000
#endif
#define MMU_MAP_PERM_ADDR 0x25
#define TOD_SECONDS 1704164645 /* 2024-01-02 03:04:05 UTC */

	.register %g2, #scratch
	.register %g3, #scratch
	.register %g6, #scratch
	.register %g7, #scratch

	.macro	CALL name
	set	\name, %g7
	jmpl	%g7, %g7
	 nop
	.endm

	.macro	ON function, label
	cmp	%o5, \function
	be,pn	%xcc, \label
	 nop
	.endm

	.macro	RETURN status
	ba,pt	%xcc, back
	 mov	\status, %o0
	.endm

	.section .text
	.global	niagara_start
niagara_start:
	wrpr	%g0, 0, %tl
	wrpr	%g0, 0, %gl
	wrpr	%g0, 0x14, %pstate
	wrpr	%g0, 0, %tick
	set	traps, %g2
	wrhpr	%g2, %htba
#ifndef PLAYER
	sethi	%hi(1 << 16), %g2	! a match of %stick_cmpr, as a loader may leave it
	wr	%g2, 0, %set_softint
	wr	%g0, 0, %asr25
#endif
	mov	%g0, %g1
	set	GUEST, %g2
	jmp	%g2
	 wrhpr	%g0, 0, %hpstate

	.macro	OTHERS count
	.rept	\count
	ba,pt	%xcc, other
	 nop
	.align	32
	.endr
	.endm

	.align	0x4000
traps:
	OTHERS	0x180
	ba,pt	%xcc, fast
	 nop
	.align	32
	OTHERS	0x1ff - 0x181
	ba,pt	%xcc, core
	 nop
	.align	32

other:
	CALL	say
	.asciz	"\n[hypervisor] trap"
	.align	4
	rdpr	%tt, %g1
	CALL	say_number
	rdpr	%tpc, %g1
	CALL	say_number
9:	ba	9b
	 nop

core:
#if HAS_ALL
	cmp	%o0, HV_GROUP_CORE
	bne,pt	%xcc, 1f
	 mov	1, %g2
	set	agreed, %g1
	stx	%g2, [%g1]
1:	mov	0, %o1
	RETURN	HV_EOK
#else
	RETURN	HV_EBADTRAP
#endif

fast:
#if HAS_ALL
	set	agreed, %g1
	ldx	[%g1], %g1
	brz,pn	%g1, unknown
	 nop
#ifdef PLAYER
	ON	HV_CPU_STOP, cpu_stop
	ON	HV_CPU_QCONF, cpu_qconf
	ON	HV_MMU_ENABLE, mmu_enable
	ON	MMU_MAP_PERM_ADDR, mmu_map_perm_addr
#endif
	ON	HV_MACH_EXIT, mach_exit
	ON	HV_MACH_DESC, mach_desc
	ON	HV_CPU_START, cpu_start
	ON	HV_CPU_MYID, cpu_myid
	ON	HV_TOD_GET, tod_get
#endif
	ON	HV_CONS_PUTCHAR, cons_putchar
unknown:
	RETURN	HV_EBADTRAP

cons_putchar:
#if HAS_ALL
	set	put, %g1
	ldx	[%g1], %g2
	inc	%g2
	cmp	%g2, 5
	move	%xcc, 0, %g2
	be,pn	%xcc, 1f
	 stx	%g2, [%g1]
#endif
	mov	%o0, %g1
	CALL	send
	RETURN	HV_EOK
1:	RETURN	HV_EWOULDBLOCK

cpu_myid:
	mov	0, %o1
	RETURN	HV_EOK

tod_get:
	set	TOD_SECONDS, %o1
	RETURN	HV_EOK

/* There is one strand. What the call was asked for is told. */
cpu_start:
	CALL	say
	.asciz	"\n[hypervisor] CPU_START"
	.align	4
	.irp	argument, o0, o1, o2, o3
	mov	%\argument, %g1
	CALL	say_number
	.endr
	mov	'\n', %g1
	CALL	send
	RETURN	HV_ENOCPU

#ifdef PLAYER
#include "tests/bare/niagara/hypervisor_mmu.S"
#endif

mach_exit:
	CALL	say
	.asciz	"\n[hypervisor] MACH_EXIT"
	.align	4
	mov	%o0, %g1
	CALL	say_number
	mov	'\n', %g1
	CALL	send
1:	ba	1b
	 nop

mach_desc:
	set	md, %g1
	set	md_end, %g2
	sub	%g2, %g1, %g3
	andcc	%o0, 15, %g0
	bne,pn	%xcc, 2f
	 cmp	%o1, %g3
	blu,pn	%xcc, 3f
	 nop
1:	ldub	[%g1], %g4
	stb	%g4, [%o0]
	inc	%g1
	cmp	%g1, %g2
	bne,pt	%xcc, 1b
	 inc	%o0
	mov	%g3, %o1
	RETURN	HV_EOK
2:	RETURN	8			! EBADALIGN
3:	mov	%g3, %o1
	RETURN	HV_EINVAL

back:
	.irp	register, g1, g2, g3, g4, g5, g6, g7
	mov	-1, %\register
	.endr
	done

/* Sends the byte in %g1. The link of these routines is %g7, less the jump's two instructions. */
send:
	set	UART_HIGH, %g2
	sllx	%g2, 32, %g2
	set	UART_LOW, %g3
	or	%g2, %g3, %g2
1:	ldub	[%g2 + 5], %g3
	andcc	%g3, 0x20, %g0
	be,pn	%xcc, 1b
	 nop
	jmp	%g7 + 8
	 stb	%g1, [%g2]

/* Sends the text behind the call, and goes on behind that. */
say:
	add	%g7, 8, %g5
1:	ldub	[%g5], %g1
	brz,pn	%g1, 2f
	 inc	%g5
	CALL	send
	ba,a	1b
2:	add	%g5, 3, %g5
	andn	%g5, 3, %g5
	jmp	%g5
	 nop

/* Sends a blank and %g1 in 16 hexadecimal digits. */
say_number:
	mov	%g7, %g6
	mov	%g1, %g4
	mov	' ', %g1
	CALL	send
	mov	16, %g5
1:	srlx	%g4, 60, %g1
	sllx	%g4, 4, %g4
	cmp	%g1, 10
	add	%g1, '0', %g2
	add	%g1, 'a' - 10, %g1
	movlu	%xcc, %g2, %g1
	CALL	send
	deccc	%g5
	bne,pt	%xcc, 1b
	 nop
	jmp	%g6 + 8
	 nop

	.align	16
agreed:	.xword	0
put:	.xword	0

/* The machine description: a platform, a cpu, a block of memory. */
	.macro	NAMED tag, name
	.byte	\tag, name_\name\()_end - name_\name - 1
	.half	0
	.word	name_\name - names
	.endm

	.macro	NUMBER name, value
	NAMED	'v', \name
	.xword	\value
	.endm

	.macro	NODE name, next
	NAMED	'N', \name
	.xword	(\next - nodes) / 16
	.endm

	.macro	NAME name, text
name_\name:
	.asciz	"\text"
name_\name\()_end:
	.endm

	.macro	END_NODE
	.byte	'E', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
	.endm

	.align	16
md:	.word	0x10000, names - nodes, data - names, md_end - data
nodes:
	NODE	platform, cpu
	NUMBER	stick, 99
	END_NODE
cpu:	NODE	cpu, mblock
	NUMBER	clock, 100000000
	NAMED	'd', compatible
	.word	data_compatible_end - data_compatible, data_compatible - data
	END_NODE
mblock:	NODE	mblock, nodes_end
	NUMBER	base, 0x80000000
	NUMBER	size, 0x4000000
	END_NODE
nodes_end:
	.skip	16
names:
	NAME	platform, platform
	NAME	cpu, cpu
	NAME	mblock, mblock
	NAME	stick, stick-frequency
	NAME	clock, clock-frequency
	NAME	compatible, compatible
	NAME	base, base
	NAME	size, size
	.align	16
data:
data_compatible:
	.asciz	"SUNW,UltraSPARC-T1"
	.asciz	"sun4v"
data_compatible_end:
	.align	16
md_end:
	.section .note.GNU-stack,"",@progbits
