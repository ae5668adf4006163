#include "harness/binding.h"
#include <errno.h>
#include <string.h>

int binding_start(struct os_thread **thread, unsigned strand, void (*fn)(void *argument), void *argument,
		  struct why *why)
{
	int error = os_start(thread, strand, fn, argument);
	if (!error)
		return 0;
	struct why reason;
	os_start_reason(&reason, strand, error);
	return why_set(why, error, "strand %u: cannot start a thread there: %s%s%.300s%s", strand, strerror(-error),
		       *reason.text ? " (" : "", reason.text, *reason.text ? ")" : "");
}

int binding_check(unsigned strand, const char *when, struct why *why)
{
	unsigned here = 0;
	bool bound = false;
	int error = os_where(&here, &bound);
	if (error)
		return why_set(why, error, "strand %u: the OS does not tell where the thread runs: %s", strand,
			       strerror(-error));
	if (here == strand && bound)
		return 0;
	if (bound)
		return why_set(why, -EXDEV, "strand %u: the binding was lost %s: the thread is bound to strand %u",
			       strand, when, here);
	return why_set(why, -EXDEV, "strand %u: the binding was lost %s: the thread is on strand %u and may move (%s)",
		       strand, when, here, os_words.unbound);
}
