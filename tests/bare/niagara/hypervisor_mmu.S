/* Of the tests' hypervisor: the calls that an OpenBoot and its client program make. Included by hypervisor.S. */
#define ASI_LSU_CONTROL 0x45
#define MMUS_ON 0xc
#define ASI_IMMU 0x50
#define ASI_ITLB_DATA_IN 0x54
#define ASI_DMMU 0x58
#define ASI_DTLB_DATA_IN 0x5c
#define TAG_ACCESS 0x30
#define TTE_OF_SUN4V 0x400

/* (address, 0, TTE, 1 for data and 2 for instructions): real addresses are physical ones here. */
mmu_map_perm_addr:
	mov	TAG_ACCESS, %g1
	mov	TTE_OF_SUN4V, %g2
	andcc	%o3, 1, %g0
	be,pn	%xcc, 1f
	 andcc	%o3, 2, %g0
	stxa	%o0, [%g1] ASI_DMMU
	stxa	%o2, [%g2] ASI_DTLB_DATA_IN
1:	be,pn	%xcc, 2f
	 nop
	stxa	%o0, [%g1] ASI_IMMU
	stxa	%o2, [%g2] ASI_ITLB_DATA_IN
2:	membar	#Sync
	RETURN	HV_EOK

/* Who turns translation off is told what it left on: %pstate, %pil, %tick_cmpr, %stick_cmpr, the software interrupts. */
mmu_enable:
	brnz,pn	%o0, 1f
	 mov	MMUS_ON, %g1
	CALL	say
	.asciz	"\n[hypervisor] MMU off"
	.align	4
	mov	%o1, %g1
	CALL	say_number
	rdpr	%tstate, %g1
	srlx	%g1, 8, %g1
	and	%g1, 0xfff, %g1
	CALL	say_number
	rdpr	%pil, %g1
	CALL	say_number
	rd	%tick_cmpr, %g1
	CALL	say_number
	rd	%asr25, %g1
	CALL	say_number
	rd	%softint, %g1
	CALL	say_number
	mov	'\n', %g1
	CALL	send
#if KEEPS_MMU
	RETURN	HV_EINVAL
#endif
	mov	0, %g1
1:	stxa	%g1, [%g0] ASI_LSU_CONTROL
	wrpr	%o1, 0, %tnpc
	RETURN	HV_EOK

cpu_stop:
	cmp	%o0, 8
	bgeu,pn	%xcc, 1f
	 cmp	%o0, 5
	be,pn	%xcc, 2f
	 nop
	CALL	say
	.asciz	"\n[hypervisor] CPU_STOP"
	.align	4
	mov	%o0, %g1
	CALL	say_number
	mov	'\n', %g1
	CALL	send
	RETURN	HV_EOK
1:	RETURN	HV_ENOCPU
2:	RETURN	HV_EINVAL

cpu_qconf:
	CALL	say
	.asciz	"\n[hypervisor] CPU_QCONF"
	.align	4
	.irp	argument, o0, o1, o2
	mov	%\argument, %g1
	CALL	say_number
	.endr
	mov	'\n', %g1
	CALL	send
	RETURN	HV_EOK
