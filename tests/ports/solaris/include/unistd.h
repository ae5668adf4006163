/* What cmtnoise uses of Solaris's unistd.h, for 64-bit programs; after illumos-gate's unistd.h and sys/unistd.h. */
#ifndef CMTNOISE_PORT_SOLARIS_UNISTD_H
#define CMTNOISE_PORT_SOLARIS_UNISTD_H

#include <sys/types.h>

#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define F_OK 0
#define X_OK 1
#define _SC_CLK_TCK 3
#define _SC_PAGESIZE 11
#define _SC_PHYS_PAGES 500

extern int access(const char *, int), close(int), fsync(int), isatty(int), pipe(int *), unlink(const char *);
extern int execv(const char *, char *const *), gethostname(char *, int);
extern ssize_t read(int, void *, size_t), write(int, const void *, size_t), readlink(const char *, char *, size_t);
extern long sysconf(int);
extern void _exit(int) __attribute__((noreturn));

#endif
