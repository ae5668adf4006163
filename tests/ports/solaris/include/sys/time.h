/* What cmtnoise uses of Solaris's sys/time.h, for 64-bit programs; after illumos-gate's sys/time.h. */
#ifndef CMTNOISE_PORT_SOLARIS_SYS_TIME_H
#define CMTNOISE_PORT_SOLARIS_SYS_TIME_H

#include <sys/types.h>

extern hrtime_t gethrtime(void);

#endif
