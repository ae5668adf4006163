/* What cmtnoise uses of Solaris's sys/priocntl.h, for 64-bit programs; after illumos-gate's sys/priocntl.h. */
#ifndef CMTNOISE_PORT_SOLARIS_SYS_PRIOCNTL_H
#define CMTNOISE_PORT_SOLARIS_SYS_PRIOCNTL_H

#include <sys/procset.h>

#define PC_GETCID 0
#define PC_SETPARMS 2
#define PC_GETPARMS 3
#define PC_CLNULL (-1)

typedef struct pcinfo {
	id_t pc_cid;
	char pc_clname[16];
	int pc_clinfo[8];
} pcinfo_t;
typedef struct pcparms {
	id_t pc_cid;
	int pc_clparms[8];
} pcparms_t;

extern long priocntl(idtype_t, id_t, int, ...);

#endif
