/* What cmtnoise uses of Solaris's libgen.h, for 64-bit programs; after illumos-gate's libgen.h. */
#ifndef CMTNOISE_PORT_SOLARIS_LIBGEN_H
#define CMTNOISE_PORT_SOLARIS_LIBGEN_H

extern char *dirname(char *);

#endif
