/* Who made a trace instance: they are named cmtnoise-PID after the process that made them, so that what a killed one left
 * behind can be told from what a running one uses. */
#ifndef CMTNOISE_TRACE_OWNER_H
#define CMTNOISE_TRACE_OWNER_H

#include <stdbool.h>
#include <stddef.h>

void owner_instance_name(char *name, size_t size, int pid);

/* The process that made an instance of this name; 0 when the name is not one of ours. */
int owner_of(const char *name);

/* Whether that process still runs, and is this program and not another that got its number. */
bool owner_runs(int pid);

#endif
