/* A thread on a strand, and the proof that it is there. */
#ifndef CMTNOISE_BINDING_H
#define CMTNOISE_BINDING_H

#include "harness/os/os.h"
#include "harness/why.h"

/* os_start() with the sentence of what went wrong. */
int binding_start(struct os_thread **thread, unsigned strand, void (*fn)(void *argument), void *argument,
		  struct why *why);

/* Whether the calling thread is on the strand and bound to it; `when` ends "the binding was lost ...". -EXDEV when not. */
int binding_check(unsigned strand, const char *when, struct why *why);

#endif
