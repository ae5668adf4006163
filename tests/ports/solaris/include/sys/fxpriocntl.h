/* What cmtnoise uses of Solaris's sys/fxpriocntl.h, for 64-bit programs; after illumos-gate's sys/fxpriocntl.h. */
#ifndef CMTNOISE_PORT_SOLARIS_SYS_FXPRIOCNTL_H
#define CMTNOISE_PORT_SOLARIS_SYS_FXPRIOCNTL_H

#include <sys/types.h>

#define FX_TQINF (-2)

typedef struct fxparms {
	pri_t fx_upri, fx_uprilim;
	uint_t fx_tqsecs;
	int fx_tqnsecs;
} fxparms_t;

#endif
