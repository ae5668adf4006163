/* What cmtnoise uses of Solaris's sys/wait.h, for 64-bit programs; after illumos-gate's sys/wait.h. */
#ifndef CMTNOISE_PORT_SOLARIS_SYS_WAIT_H
#define CMTNOISE_PORT_SOLARIS_SYS_WAIT_H

#include <sys/types.h>

#define WIFSIGNALED(status) (((status) & 0x7f) != 0 && ((status) & 0x7f) != 0x7f)

extern pid_t waitpid(pid_t, int *, int);

#endif
