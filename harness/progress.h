/* Progress on a terminal, with an estimate of the time left; nothing when standard error is no terminal. */
#ifndef CMTNOISE_PROGRESS_H
#define CMTNOISE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress {
	bool shown;
	size_t total;
	uint64_t started_ns;
};

void progress_begin(struct progress *p, size_t total, bool quiet);
void progress_step(const struct progress *p, size_t done, const char *now);
void progress_end(const struct progress *p);

#endif
