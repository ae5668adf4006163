/* Solaris: reading the kernel's statistics (libkstat), which come and go while they are read. */
#ifndef CMTNOISE_SOLARIS_KSTAT_H
#define CMTNOISE_SOLARIS_KSTAT_H

#include <kstat.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which ones to read, and what to do with each. */
struct solaris_kstats {
	const char *module, *name;    /* name NULL: any */
	int instance;                 /* -1: any */
	void (*begin)(void *context); /* before every try: forget what an earlier one gave */
	int (*visit)(kstat_t *kstat, void *context);
	void *context;
};

/* All of them, as they were at one moment: where the chain changed meanwhile, it is read again. 0; -EAGAIN when it would not stop
 * changing; -ENOENT when there is none; what visit gave; or the OS's error. One thread at a time is in here. */
int solaris_kstat_read(const struct solaris_kstats *wanted);

/* A named value of a kstat just read, whatever its type is in this release. false: there is none of that name, or of that type. */
bool solaris_kstat_number(kstat_t *kstat, const char *name, uint64_t *value);
bool solaris_kstat_text(kstat_t *kstat, const char *name, char *text, size_t size);

#endif
