/* The runtime's image behind the loader; IMAGE is the file, image.h tells of it. ON_DISK: it is not loaded with the loader, which
 * has to read it from where it was booted. */
#include "image.h"

	.section .rodata
	.align	8
	.global	openboot_payload
openboot_payload:
	.xword	IMAGE_BYTES
#if ON_DISK
	.xword	16 * 512
#else
	.xword	0
#endif
	.word	IMAGE_SUM, 0

	.section .payload, "a"
	.global	openboot_image
	.align	8
openboot_image:
	.incbin	IMAGE
	.section .note.GNU-stack,"",@progbits
