/* What cmtnoise uses of Solaris's sys/lwp.h, for 64-bit programs; after illumos-gate's sys/lwp.h. */
#ifndef CMTNOISE_PORT_SOLARIS_SYS_LWP_H
#define CMTNOISE_PORT_SOLARIS_SYS_LWP_H

typedef unsigned lwpid_t;

extern lwpid_t _lwp_self(void);

#endif
