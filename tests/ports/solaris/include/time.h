/* What cmtnoise uses of Solaris's time.h, for 64-bit programs; after illumos-gate's iso/time_iso.h and sys/time_impl.h. */
#ifndef CMTNOISE_PORT_SOLARIS_TIME_H
#define CMTNOISE_PORT_SOLARIS_TIME_H

#include <sys/types.h>

struct timespec {
	time_t tv_sec;
	long tv_nsec;
};
typedef struct timespec timestruc_t;
struct tm {
	int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
};
#define CLOCK_REALTIME 3
#define CLOCK_HIGHRES 4
#define TIMER_ABSTIME 0x1

extern struct tm *gmtime(const time_t *);
extern size_t strftime(char *, size_t, const char *, const struct tm *);
extern int clock_gettime(clockid_t, struct timespec *);
extern int clock_nanosleep(clockid_t, int, const struct timespec *, struct timespec *);
extern int nanosleep(const struct timespec *, struct timespec *);

#endif
