/* What the files domains/tick/linux*.c share. Everything is read as any user may, and "" or TICK_UNKNOWN where it cannot be. */
#ifndef CMTNOISE_LINUX_TICK_H
#define CMTNOISE_LINUX_TICK_H

#include <stdbool.h>
#include <stddef.h>
#include "domains/tick/tick.h"

enum { TICK_LINE_SIZE = 32768 }; /* of a boot command line, of a list of every other strand of a very large machine */

/* The OS kernel's own configuration, where it can be found; all false where not. */
struct tick_os_config {
	bool found, periodic, nohz, preempt_dynamic, forced_threading;
	char preemption[24];
};

/* linux-config.c */
void tick_read_config(struct tick_os_config *c);

/* The value of NAME=value on the boot command line; NAME alone gives "". The last one counts. */
bool tick_boot_parameter(const char *name, char *value, size_t size);

/* linux-preemption.c */
void tick_read_preemption(struct tick_configuration *tick, const struct tick_os_config *c);

/* linux-lists.c: a list is kept as it is, a mask in hexadecimal words becomes one. What does not fit ends in "...". */
void tick_keep_list(const char *list, char *kept, size_t size);
void tick_read_list(const char *path, char *list, size_t size);
void tick_read_mask(const char *path, char *list, size_t size);

#endif
