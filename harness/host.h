/* The host as run.json describes it. */
#ifndef CMTNOISE_HOST_H
#define CMTNOISE_HOST_H

#include <stddef.h>

struct json;

/* Writes the members of run.json's "host". cpu_of_os names the CPU where no instruction can, "" if the OS does not either; boot is
 * the boot command line, NULL where programs are not told. */
void host_json(struct json *j, void (*cpu_of_os)(char *name, size_t size), const char *boot);

#endif
