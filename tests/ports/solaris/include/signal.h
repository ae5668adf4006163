/* What cmtnoise uses of Solaris's signal.h, for 64-bit programs; after illumos-gate's sys/signal.h and sys/iso/signal_iso.h. */
#ifndef CMTNOISE_PORT_SOLARIS_SIGNAL_H
#define CMTNOISE_PORT_SOLARIS_SIGNAL_H

#include <sys/types.h>

#define SIGINT 2
#define SIGKILL 9
#define SIGPIPE 13
#define SIGTERM 15
#define SIG_IGN ((void (*)(int))1)
#define SIG_SETMASK 3

typedef int sig_atomic_t;
typedef struct {
	unsigned __sigbits[4];
} sigset_t;
struct sigaction {
	int sa_flags;
	union {
		void (*_handler)(int);
		void (*_sigaction)(int, void *, void *);
	} _funcptr;
	sigset_t sa_mask;
};
#define sa_handler _funcptr._handler

extern int sigaction(int, const struct sigaction *, struct sigaction *);
extern int sigemptyset(sigset_t *), sigfillset(sigset_t *), kill(pid_t, int);
extern void (*signal(int, void (*)(int)))(int);
extern int pthread_sigmask(int, const sigset_t *, sigset_t *);

#endif
