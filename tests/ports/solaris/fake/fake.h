/* A Solaris machine played on Linux. What knows Solaris's types (machine.c, cpus.c, kstats.c) is compiled as the program is, for
 * Solaris; what knows Linux's (libc.c, threads.c) by this machine's compiler. Between the two go plain types alone.
 *
 * $FAKE_SOLARIS is a folder with the machine: `kstat`, as `kstat -p` prints it, `machine`, lines of a key and values (machine.c), and `log`,
 * to which the calls of interest are appended. */
#ifndef CMTNOISE_FAKE_SOLARIS_H
#define CMTNOISE_FAKE_SOLARIS_H

#include <stddef.h>
#include <stdint.h>

/* libc.c */
char *fake_file(const char *name); /* a file of the folder whole, malloc'ed; ends the program where there is none */
void fake_log(const char *line);
uint64_t fake_now_ns(void);
void fake_lock(void); /* one lock for the whole machine */
void fake_unlock(void);
void fake_fail(int solaris_errno); /* sets errno */
_Noreturn void fake_die(const char *sentence);

/* machine.c */
const char *fake_text(const char *key, const char *missing);
long fake_number(const char *key, long missing);
/* The value of the line "KEY CPU VALUE"; missing where there is none. */
long fake_of_cpu(const char *key, int cpu, long missing);
/* A line "fault CALL WHAT ERRNO": its errno, 0 for none. */
int fake_fault(const char *call, const char *what);

/* kstats.c */
int fake_cpu_exists(int cpu);
const char *fake_cpu_state(int cpu); /* as in kstat; "" for none */

/* cpus.c: the prusage_t of the calling thread; its size. */
size_t fake_usage(void *bytes, size_t size);

#endif
