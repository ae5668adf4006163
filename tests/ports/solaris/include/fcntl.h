/* What cmtnoise uses of Solaris's fcntl.h, for 64-bit programs; after illumos-gate's sys/fcntl.h. */
#ifndef CMTNOISE_PORT_SOLARIS_FCNTL_H
#define CMTNOISE_PORT_SOLARIS_FCNTL_H

#include <sys/types.h>

#define O_RDONLY 0
#define O_WRONLY 1
#define O_CREAT 0x100
#define O_TRUNC 0x200
#define F_SETFD 2
#define FD_CLOEXEC 1

extern int open(const char *, int, ...), fcntl(int, int, ...);

#endif
