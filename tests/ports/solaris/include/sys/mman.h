/* What cmtnoise uses of Solaris's sys/mman.h, for 64-bit programs; after illumos-gate's sys/mman.h. */
#ifndef CMTNOISE_PORT_SOLARIS_SYS_MMAN_H
#define CMTNOISE_PORT_SOLARIS_SYS_MMAN_H

#include <sys/types.h>

#define PROT_READ 0x1
#define PROT_WRITE 0x2
#define MAP_PRIVATE 2
#define MAP_ANON 0x100
#define MAP_ALIGN 0x200
#define MAP_FAILED ((void *)-1)
#define MC_HAT_ADVISE 7
#define MHA_MAPSIZE_VA 0x1

struct memcntl_mha {
	uint_t mha_cmd, mha_flags;
	size_t mha_pagesize;
};

/* As programs see them that ask for no standard; with one, mmap's address is a void pointer. */
extern caddr_t mmap(caddr_t, size_t, int, int, int, off_t);
extern int munmap(caddr_t, size_t), mlock(caddr_t, size_t);
extern int memcntl(caddr_t, size_t, int, caddr_t, int, int);

#endif
