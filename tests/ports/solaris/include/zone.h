/* What cmtnoise uses of Solaris's zone.h, for 64-bit programs; after illumos-gate's zone.h and sys/zone.h. */
#ifndef CMTNOISE_PORT_SOLARIS_ZONE_H
#define CMTNOISE_PORT_SOLARIS_ZONE_H

#include <sys/types.h>

#define GLOBAL_ZONEID 0

extern zoneid_t getzoneid(void);

#endif
