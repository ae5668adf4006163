/* What cmtnoise uses of Solaris's poll.h, for 64-bit programs; after illumos-gate's sys/poll.h. */
#ifndef CMTNOISE_PORT_SOLARIS_POLL_H
#define CMTNOISE_PORT_SOLARIS_POLL_H

struct pollfd {
	int fd;
	short events, revents;
};
#define POLLIN 0x0001

extern int poll(struct pollfd *, unsigned long, int);

#endif
