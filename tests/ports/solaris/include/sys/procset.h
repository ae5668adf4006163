/* What cmtnoise uses of Solaris's sys/procset.h, for 64-bit programs; after illumos-gate's sys/procset.h. */
#ifndef CMTNOISE_PORT_SOLARIS_SYS_PROCSET_H
#define CMTNOISE_PORT_SOLARIS_SYS_PROCSET_H

#include <sys/types.h>

typedef enum idtype {
	P_PID,
	P_PPID,
	P_PGID,
	P_SID,
	P_CID,
	P_UID,
	P_GID,
	P_ALL,
	P_LWPID,
} idtype_t;

#endif
