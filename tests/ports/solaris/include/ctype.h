/* What cmtnoise uses of Solaris's ctype.h, for 64-bit programs; after illumos-gate's ctype.h. */
#ifndef CMTNOISE_PORT_SOLARIS_CTYPE_H
#define CMTNOISE_PORT_SOLARIS_CTYPE_H

extern int isdigit(int);

#endif
