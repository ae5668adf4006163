#ifndef CMTNOISE_VERSION_H
#define CMTNOISE_VERSION_H

#define CMTNOISE_VERSION "0.1.0"

/* How this program was built; written by the Makefile into build/build_info.c. commit is "" outside a git checkout. */
extern const char build_commit[], build_compiler[], build_cflags[];

#endif
