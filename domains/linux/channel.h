/* The port through which a Linux guest sends its run (results/FORMAT.md, "The channel of a Linux guest"): lines and bytes. */
#ifndef CMTNOISE_LINUX_CHANNEL_H
#define CMTNOISE_LINUX_CHANNEL_H

#include <stddef.h>

/* Says on the console where there is none. What is sent then is dropped: the launcher has the console. */
void channel_open(void);

void channel_send(const char *bytes, size_t count);

/* Sends a line, cut to 511 bytes. */
void channel_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Waits until the port has taken everything. */
void channel_drain(void);

#endif
