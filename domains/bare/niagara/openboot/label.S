/*
 * The first 512 bytes of a disk: a label as Solaris writes it (illumos, usr/src/uts/common/sys/dklabel.h, struct dk_label of SPARC).
 * OpenBoot looks at the geometry, the partitions, the magic number and the sum (its source, obp/pkg/boot/sunlabel.fth); the virtual
 * disk server of a control domain looks at the VTOC as well. Partition a, which OpenBoot boots unless told otherwise, and c, the
 * whole disk, begin at the label; the boot block is the 15 blocks behind it. There are no alternate cylinders, so that nothing is
 * written there by a system that sees the disk.
 */
#include "image.h"

/* Sectors a cylinder, and cylinders. */
#define SECTORS 2048
#define CYLINDERS ((DISK_BYTES) / 512 / SECTORS)

	.macro	HALVES values:vararg
	.irp	value, \values
	.half	\value
	.set	sum, sum ^ (\value)
	.endr
	.endm

	.macro	LONG value
	HALVES	((\value) >> 16) & 0xffff, (\value) & 0xffff
	.endm

	.macro	UP_TO place			! nothing counts in the sum
	.skip	\place - (. - openboot_label)
	.endm

	.section .label, "a"
	.global	openboot_label
openboot_label:
	.set	sum, 0
	HALVES	0x636d, 0x746e, 0x6f69, 0x7365	! "cmtnoise"
	UP_TO	128
	LONG	1				! the VTOC's version
	UP_TO	140
	HALVES	8				! partitions: tag and flags of each
	HALVES	2, 0, 0, 0, 5, 0		! a: root; c: backup, that is all
	UP_TO	188
	LONG	0x600ddeee
	UP_TO	420
	HALVES	7200, CYLINDERS, 0, 0, 0, 1	! rpm, physical cylinders, none spare, two unused, interleave
	HALVES	CYLINDERS, 0, 1, SECTORS	! cylinders, none alternate, heads, sectors
	UP_TO	444
	LONG	0				! a: first cylinder, blocks
	LONG	CYLINDERS * SECTORS
	LONG	0
	LONG	0
	LONG	0				! c
	LONG	CYLINDERS * SECTORS
	UP_TO	508
	HALVES	0xdabe
	.half	sum
	.section .note.GNU-stack,"",@progbits
