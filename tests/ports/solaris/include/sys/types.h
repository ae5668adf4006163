/* What cmtnoise uses of Solaris's sys/types.h, for 64-bit programs; after illumos-gate's sys/types.h. */
#ifndef CMTNOISE_PORT_SOLARIS_SYS_TYPES_H
#define CMTNOISE_PORT_SOLARIS_SYS_TYPES_H

#include <stddef.h>
#include <stdint.h>

typedef long ssize_t, off_t, time_t, clock_t, blkcnt_t;
typedef int id_t, pid_t, uid_t, gid_t, clockid_t, zoneid_t;
typedef unsigned uint_t, mode_t, pthread_t;
typedef unsigned char uchar_t;
typedef unsigned long ulong_t, dev_t, ino_t;
typedef short pri_t;
typedef long long hrtime_t;
typedef char *caddr_t;

#define P_MYID (-1)

#endif
