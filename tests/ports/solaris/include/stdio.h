/* What cmtnoise uses of Solaris's stdio.h, for 64-bit programs; after illumos-gate's stdio.h, stdio_impl.h, and the size of _iob in libc's mapfile-vers. */
#ifndef CMTNOISE_PORT_SOLARIS_STDIO_H
#define CMTNOISE_PORT_SOLARIS_STDIO_H

#include <stdarg.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct {
	long insides[16];
} FILE;
extern FILE __iob[20];
#define stdin (&__iob[0])
#define stdout (&__iob[1])
#define stderr (&__iob[2])
#define EOF (-1)

extern int printf(const char *, ...) __attribute__((format(printf, 1, 2)));
extern int fprintf(FILE *, const char *, ...) __attribute__((format(printf, 2, 3)));
extern int snprintf(char *, size_t, const char *, ...) __attribute__((format(printf, 3, 4)));
extern int vsnprintf(char *, size_t, const char *, va_list);
extern int putchar(int), puts(const char *), fputc(int, FILE *), fputs(const char *, FILE *), fflush(FILE *);
extern size_t fwrite(const void *, size_t, size_t, FILE *);
extern int rename(const char *, const char *);

#endif
