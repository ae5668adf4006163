/* What cmtnoise uses of Solaris's sys/pset.h, for 64-bit programs; after illumos-gate's sys/pset.h. */
#ifndef CMTNOISE_PORT_SOLARIS_SYS_PSET_H
#define CMTNOISE_PORT_SOLARIS_SYS_PSET_H

#include <sys/processor.h>

typedef int psetid_t;
#define PS_NONE (-1)
#define PS_QUERY (-2)

extern int pset_assign(psetid_t, processorid_t, psetid_t *);
extern int pset_bind(psetid_t, idtype_t, id_t, psetid_t *);

#endif
