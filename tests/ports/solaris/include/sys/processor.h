/* What cmtnoise uses of Solaris's sys/processor.h, for 64-bit programs; after illumos-gate's sys/processor.h. */
#ifndef CMTNOISE_PORT_SOLARIS_SYS_PROCESSOR_H
#define CMTNOISE_PORT_SOLARIS_SYS_PROCESSOR_H

#include <sys/procset.h>

typedef int processorid_t;
#define P_OFFLINE 0x0001
#define P_ONLINE 0x0002
#define P_STATUS 0x0003
#define P_FAULTED 0x0004
#define P_POWEROFF 0x0005
#define P_NOINTR 0x0006
#define P_SPARE 0x0007
#define PBIND_NONE (-1)
#define PBIND_QUERY (-2)

extern int p_online(processorid_t, int);
extern int processor_bind(idtype_t, id_t, processorid_t, processorid_t *);
extern processorid_t getcpuid(void);

#endif
