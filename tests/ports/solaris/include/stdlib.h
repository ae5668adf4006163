/* What cmtnoise uses of Solaris's stdlib.h, for 64-bit programs; after illumos-gate's stdlib.h. */
#ifndef CMTNOISE_PORT_SOLARIS_STDLIB_H
#define CMTNOISE_PORT_SOLARIS_STDLIB_H

#include <stddef.h>

extern void *malloc(size_t), *calloc(size_t, size_t), *realloc(void *, size_t);
extern void free(void *);
extern void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
extern unsigned long long strtoull(const char *, char **, int);
extern unsigned long strtoul(const char *, char **, int);
extern char *getenv(const char *);

#endif
