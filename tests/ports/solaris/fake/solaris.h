/* The prototypes of what the program calls by other names here. */
#ifndef CMTNOISE_FAKE_SOLARIS_SOLARIS_H
#define CMTNOISE_FAKE_SOLARIS_SOLARIS_H

#include <sys/utsname.h>

long solaris_sysconf(int name);
int solaris_uname(struct utsname *name);
int solaris_getloadavg(double load[], int count);

#endif
