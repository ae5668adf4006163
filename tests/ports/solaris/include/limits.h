/* What cmtnoise uses of Solaris's limits.h, for 64-bit programs; after illumos-gate's iso/limits_iso.h and limits.h. */
#ifndef CMTNOISE_PORT_SOLARIS_LIMITS_H
#define CMTNOISE_PORT_SOLARIS_LIMITS_H

#define CHAR_BIT 8
#define INT_MAX 2147483647
#define UINT_MAX 4294967295U
#define LONG_MAX 9223372036854775807L
#define ULONG_MAX 18446744073709551615UL
#define PATH_MAX 1024

#endif
