//@ kernel: vfma; instruction: fused multiply-add, AVX2, four doubles; resource: vector multiply-add units; sharing: core; ops: 250; needs: avx2,fma; body: vfmadd231pd %ymm14,%ymm15,%ymm[0-9]
/* Ten chains, enough for two units of five cycles. Each adds 1.0 times 1.0: exact and ordinary. */
#include "asm/x86_64/kernel.inc"

	KERNEL	vfma
	mov	$0x3ff0000000000000, %rax
	vmovq	%rax, %xmm15
	vbroadcastsd %xmm15, %ymm15
	vmovapd	%ymm15, %ymm14
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
	vmovapd	%ymm15, %ymm\n
	.endr
	BODY	vfma
	.rept	25
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
	vfmadd231pd %ymm14, %ymm15, %ymm\n
	.endr
	.endr
	LOOP	vfma
	vzeroupper		/* or SSE code after this would be slow */
	END	vfma
