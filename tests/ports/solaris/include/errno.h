/* What cmtnoise uses of Solaris's errno.h, for 64-bit programs; after illumos-gate's sys/errno.h. */
#ifndef CMTNOISE_PORT_SOLARIS_ERRNO_H
#define CMTNOISE_PORT_SOLARIS_ERRNO_H

extern int *___errno(void);
#define errno (*(___errno()))

#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define ENXIO 6
#define EBADF 9
#define EAGAIN 11
#define ENOMEM 12
#define EACCES 13
#define EEXIST 17
#define EXDEV 18
#define ENODEV 19
#define EINVAL 22
#define ENOSPC 28
#define EPIPE 32
#define ERANGE 34
#define ENOTSUP 48
#define EPROTO 71
#define ENAMETOOLONG 78
#define EOVERFLOW 79
#define ENOSYS 89
#define ETIMEDOUT 145

#endif
