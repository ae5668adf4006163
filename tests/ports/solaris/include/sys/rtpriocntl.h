/* What cmtnoise uses of Solaris's sys/rtpriocntl.h, for 64-bit programs; after illumos-gate's sys/rtpriocntl.h. */
#ifndef CMTNOISE_PORT_SOLARIS_SYS_RTPRIOCNTL_H
#define CMTNOISE_PORT_SOLARIS_SYS_RTPRIOCNTL_H

#include <sys/types.h>

#define RT_TQINF (-2)

typedef struct rtparms {
	pri_t rt_pri;
	uint_t rt_tqsecs;
	int rt_tqnsecs;
} rtparms_t;

#endif
