/* What cmtnoise uses of Solaris's sys/utsname.h, for 64-bit programs; after illumos-gate's sys/utsname.h. */
#ifndef CMTNOISE_PORT_SOLARIS_SYS_UTSNAME_H
#define CMTNOISE_PORT_SOLARIS_SYS_UTSNAME_H

struct utsname {
	char sysname[257], nodename[257], release[257], version[257], machine[257];
};

extern int uname(struct utsname *);

#endif
