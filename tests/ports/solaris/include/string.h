/* What cmtnoise uses of Solaris's string.h, for 64-bit programs; after illumos-gate's string.h. */
#ifndef CMTNOISE_PORT_SOLARIS_STRING_H
#define CMTNOISE_PORT_SOLARIS_STRING_H

#include <stddef.h>

extern void *memcpy(void *, const void *, size_t), *memmove(void *, const void *, size_t), *memset(void *, int, size_t);
extern int memcmp(const void *, const void *, size_t), strcmp(const char *, const char *);
extern int strncmp(const char *, const char *, size_t);
extern char *strchr(const char *, int), *strrchr(const char *, int), *strstr(const char *, const char *);
extern char *strdup(const char *), *strerror(int);
extern size_t strlen(const char *), strspn(const char *, const char *), strcspn(const char *, const char *);
extern size_t strlcpy(char *, const char *, size_t);

#endif
