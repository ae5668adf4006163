/* What cmtnoise uses of Solaris's sys/stat.h, for 64-bit programs; after illumos-gate's sys/stat.h. */
#ifndef CMTNOISE_PORT_SOLARIS_SYS_STAT_H
#define CMTNOISE_PORT_SOLARIS_SYS_STAT_H

#include <sys/types.h>

extern int mkdir(const char *, mode_t);

#endif
