/* What cmtnoise uses of Solaris's sys/loadavg.h, for 64-bit programs; after illumos-gate's sys/loadavg.h. */
#ifndef CMTNOISE_PORT_SOLARIS_SYS_LOADAVG_H
#define CMTNOISE_PORT_SOLARIS_SYS_LOADAVG_H

extern int getloadavg(double[], int);

#endif
