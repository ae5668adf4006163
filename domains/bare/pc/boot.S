/*
 * The way into long mode, for the boot strand (from multiboot or PVH, in protected mode without paging) and for every other one
 * (from the start-up interrupt, in real mode). All use one set of page tables: the first 4 GB, mapped to themselves.
 */
	.set	CR0_ON, 0x80010023	/* PG, WP, NE, MP, PE */
	.set	CR0_OFF, 0x60000004	/* CD, NW, EM */
	.set	CR4_ON, 0x660		/* OSXMMEXCPT, OSFXSR, MCE, PAE */
	.set	UNCACHED, 0x18		/* PCD, PWT */
	.set	APIC_PAGE, 0xfee00000 >> 21
	.set	EFER, 0xc0000080
	.set	LME, 0x100
	.set	CODE32, 0x18
	.set	CODE64, 0x08
	.set	DATA, 0x10

/* Xen's PVH entry (XEN_ELFNOTE_PHYS32_ENTRY, type 18). */
	.section .note.pvh, "a", @note
	.align	4
	.long	4, 4, 18
	.ascii	"Xen\0"
	.long	entry

	.section .boot, "ax"
	.code32
	.globl	entry
entry:
	cli
	cld
	mov	%eax, boot_magic
	mov	%ebx, boot_information
	mov	$boot_stack_top, %esp
	mov	$pdpt + 3, %eax
	mov	%eax, pml4
	xor	%ecx, %ecx
1:	mov	%ecx, %eax		/* four tables, one a gigabyte */
	shl	$12, %eax
	add	$page_directories + 3, %eax
	mov	%eax, pdpt(, %ecx, 8)
	inc	%ecx
	cmp	$4, %ecx
	jne	1b
	xor	%ecx, %ecx
2:	mov	%ecx, %eax		/* pages of 2 MB: present, writable, large */
	shl	$21, %eax
	or	$0x83, %eax
	mov	%eax, page_directories(, %ecx, 8)
	inc	%ecx
	cmp	$2048, %ecx
	jne	2b
	orb	$UNCACHED, page_directories + 8 * APIC_PAGE
	lgdt	gdt_pointer
	call	long_mode
	ljmp	$CODE64, $boot64

long_mode:
	mov	%cr4, %eax
	or	$CR4_ON, %eax
	mov	%eax, %cr4
	mov	$pml4, %eax
	mov	%eax, %cr3
	mov	$EFER, %ecx
	rdmsr
	or	$LME, %eax
	wrmsr
	mov	%cr0, %eax
	and	$~CR0_OFF, %eax
	or	$CR0_ON, %eax
	mov	%eax, %cr0
	ret

	.code64
boot64:
	mov	$DATA, %eax
	mov	%eax, %ds
	mov	%eax, %es
	mov	%eax, %ss
	mov	$boot_stack_top, %rsp
	xor	%ebp, %ebp
	call	pc_boot
	ud2

	.code32
strand32:
	mov	$DATA, %eax
	mov	%eax, %ds
	mov	%eax, %es
	mov	%eax, %ss
	mov	$start_stack_top, %esp	/* strands are started one at a time */
	call	long_mode
	ljmp	$CODE64, $strand64
	.code64
strand64:
	mov	pc_start_stack(%rip), %rsp
	xor	%ebp, %ebp
	call	pc_strand
	ud2

/* Copied to a page below 1 MB, whose number the start-up interrupt tells: it begins at that page's start. */
	.globl	trampoline, trampoline_bytes
	.code16
trampoline:
	cli
	mov	%cs, %ax
	mov	%ax, %ds
	lgdtl	trampoline_gdt - trampoline
	mov	%cr0, %eax
	or	$1, %eax
	mov	%eax, %cr0
	ljmpl	$CODE32, $strand32
	.align	4
trampoline_gdt:
	.word	gdt_end - gdt - 1
	.long	gdt
trampoline_end:
trampoline_bytes:
	.long	trampoline_end - trampoline

	.section .data
	.align	16
	.globl	pc_task_descriptor
gdt:
	.quad	0
	.quad	0x00af9b000000ffff	/* CODE64 */
	.quad	0x00cf93000000ffff	/* DATA */
	.quad	0x00cf9b000000ffff	/* CODE32 */
pc_task_descriptor:			/* filled in by traps.c; 16 bytes */
	.quad	0, 0
gdt_end:
gdt_pointer:
	.word	gdt_end - gdt - 1
	.long	gdt

/* Not in .bss, which is the loader's to clear, before or after it has set these registers. */
	.globl	boot_magic, boot_information
boot_magic:	.long 0
boot_information: .long 0

	.bss
	.align	4096
	.globl	pc_gigabytes
pml4:	.skip	4096
pc_gigabytes:
pdpt:	.skip	4096
page_directories: .skip 4 * 4096
	.skip	256
start_stack_top:
	.skip	32768
boot_stack_top:
	.section .note.GNU-stack, "", @progbits
