/* What cmtnoise uses of Solaris's sys/auxv.h, for 64-bit programs; after illumos-gate's sys/auxv.h. */
#ifndef CMTNOISE_PORT_SOLARIS_SYS_AUXV_H
#define CMTNOISE_PORT_SOLARIS_SYS_AUXV_H

#include <sys/types.h>

extern uint_t getisax(uint32_t *, uint_t);

#endif
