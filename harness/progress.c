#include "harness/progress.h"
#include <stdio.h>
#include <unistd.h>
#include "harness/os/os.h"

void progress_begin(struct progress *p, size_t total, bool quiet)
{
	*p = (struct progress){.shown = !quiet && isatty(STDERR_FILENO), .total = total, .started_ns = os_now_ns()};
}

void progress_step(const struct progress *p, size_t done, const char *now)
{
	if (!p->shown)
		return;
	fprintf(stderr, "\r\033[K[%zu/%zu] %s", done + 1, p->total, now);
	if (done) {
		double seconds =
			(double)(os_now_ns() - p->started_ns) * 1e-9 / (double)done * (double)(p->total - done);
		fprintf(stderr, ", about %.0f s left", seconds);
	}
	fflush(stderr);
}

void progress_end(const struct progress *p)
{
	if (p->shown)
		fprintf(stderr, "\r\033[K");
}
