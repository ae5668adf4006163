/* Linux, doctor: what this program is allowed. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "harness/os/linux-doctor.h"
#include "harness/os/linux-files.h"
#include "harness/os/os.h"
#include "harness/tracer.h"
#include "harness/why.h"

/* The tightest quota of the program's cgroup and those above it. */
struct quota {
	bool is_known; /* the program's cgroup is told */
	int error;     /* of a file that is there and cannot be read */
	double cpus;   /* 0: none seen */
	char text[64], file[256];
	const char *unlimited; /* what to write to the file */
};

static void tighten(struct quota *q, const char *file, const char *unlimited, double quota_us, double period_us)
{
	if (quota_us <= 0 || period_us <= 0 || (q->cpus > 0 && quota_us / period_us >= q->cpus))
		return;
	q->cpus = quota_us / period_us;
	q->unlimited = unlimited;
	snprintf(q->text, sizeof q->text, "%.0f us in every %.0f us", quota_us, period_us);
	snprintf(q->file, sizeof q->file, "%s", strlen(file) < sizeof q->file ? file : "");
}

static bool can_read(struct quota *q, const char *file, char *text, size_t size)
{
	int length = linux_read(file, text, size);
	if (length < 0 && length != -ENOENT)
		q->error = length;
	return length > 0;
}

/* cgroup v2: "max 100000" or "50000 100000". */
static void look_v2(struct quota *q, const char *folder)
{
	char file[PATH_MAX], text[64];
	double quota_us, period_us;
	snprintf(file, sizeof file, "%.4000s/cpu.max", folder);
	if (can_read(q, file, text, sizeof text) && sscanf(text, "%lf %lf", &quota_us, &period_us) == 2)
		tighten(q, file, "max", quota_us, period_us);
}

/* cgroup v1: two files; a quota of -1 is none. */
static void look_v1(struct quota *q, const char *folder)
{
	char file[PATH_MAX], text[64];
	snprintf(file, sizeof file, "%.4000s/cpu.cfs_period_us", folder);
	double period_us = can_read(q, file, text, sizeof text) ? strtod(text, NULL) : 0;
	snprintf(file, sizeof file, "%.4000s/cpu.cfs_quota_us", folder);
	if (can_read(q, file, text, sizeof text))
		tighten(q, file, "-1", strtod(text, NULL), period_us);
}

/* A cgroup is held by the quotas above it too. Inside a container the path may be the host's, of which only the top is there. */
static void look_upwards(struct quota *q, const char *top, const char *path, void (*look)(struct quota *, const char *))
{
	char folder[PATH_MAX];
	size_t length = strlen(top);
	snprintf(folder, sizeof folder, "%s%.3800s", top, path);
	for (char *slash; strlen(folder) > length && (slash = strrchr(folder, '/')); *slash = 0)
		look(q, folder);
	look(q, top);
}

static bool has_cpu(const char *controllers)
{
	for (const char *at = controllers; at; at = strchr(at, ',')) {
		at += *at == ',';
		if (!strncmp(at, "cpu", 3) && (!at[3] || at[3] == ','))
			return true;
	}
	return false;
}

/* A line "ID:CONTROLLERS:PATH"; v2 has ID 0 and no controllers. */
static void look_at_line(struct quota *q, char *line)
{
	char top[128];
	char *controllers = strchr(line, ':'), *path = controllers ? strchr(controllers + 1, ':') : NULL;
	if (!path)
		return;
	*controllers++ = 0;
	*path++ = 0;
	path[strcspn(path, "\n")] = 0;
	if (!*controllers) {
		q->is_known = true;
		look_upwards(q, "/sys/fs/cgroup", path, look_v2);
		look_upwards(q, "/sys/fs/cgroup/unified", path, look_v2);
	} else if (has_cpu(controllers)) {
		q->is_known = true;
		snprintf(top, sizeof top, "/sys/fs/cgroup/%.100s", controllers);
		look_upwards(q, top, path, look_v1);
	}
}

static struct quota tightest_quota(void)
{
	struct quota q = {0};
	FILE *file = linux_open("/proc/self/cgroup");
	char *line = NULL;
	size_t size = 0;
	while (file && getline(&line, &size, file) > 0)
		look_at_line(&q, line);
	free(line);
	if (file)
		fclose(file);
	return q;
}

void doctor_quota(struct findings *f, const struct topology *t)
{
	static const char subject[] = "CPU quota";
	struct quota q = tightest_quota();
	char mend[240] = "run outside the container's limit";
	if (q.file[0])
		snprintf(mend, sizeof mend, "run outside the container's limit, or echo %s > %.150s", q.unlimited,
			 strlen(q.file) <= 150 ? q.file : "its file");
	if (q.cpus > 1 && q.cpus >= (double)doctor_usable(t))
		finding_add(f, FINDING_OK, subject, "%s: enough for all strands", q.text);
	else if (q.cpus > 1)
		doctor_explain(finding_add(f, FINDING_NOTE, subject, "%s: enough for one strand, not for all", q.text),
			       "with --together the OS stops the program whenever the quota is used up", mend);
	else if (q.cpus > 0)
		doctor_explain(finding_add(f, FINDING_PREVENTS, subject, "%s", q.text),
			       "the OS stops the program whenever the quota is used up: long gaps in every record",
			       mend);
	else if (!q.is_known)
		finding_add(f, FINDING_NOTE, subject, "not known here: /proc/self/cgroup tells of no cgroup for it");
	else if (q.error)
		finding_add(f, FINDING_NOTE, subject, "not known here: %s", strerror(-q.error));
	else
		finding_add(f, FINDING_OK, subject, "none");
}

/* The command that gives this program a right for good. */
static void explain_right(struct finding *f, const char *effect, const char *otherwise)
{
	char program[128], mend[240];
	ssize_t length = readlink("/proc/self/exe", program, sizeof program);
	bool fits = length > 0 && (size_t)length < sizeof program;
	snprintf(mend, sizeof mend, "sudo setcap cap_sys_nice,cap_ipc_lock+ep '%.*s'; or %s", fits ? (int)length : 7,
		 fits ? program : "PROGRAM", otherwise);
	doctor_explain(f, effect, mend);
}

/* Tried in a child, since rights come from capabilities, limits, cgroups and security modules together. */
static int try_realtime(void)
{
	int status;
	struct why why;
	const char *name;
	pid_t child = fork();
	if (child < 0)
		return -errno;
	if (!child)
		_exit(-os_realtime(&name, &why) & 0xff);
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -EINTR;
}

void doctor_realtime(struct findings *f, const struct topology *t)
{
	static const char subject[] = "right to --realtime";
	int error = try_realtime();
	(void)t;
	if (!error)
		finding_add(f, FINDING_OK, subject, "yes (tried)");
	else
		explain_right(finding_add(f, FINDING_NOTE, subject, "no: %s", strerror(-error)),
			      "--realtime falls back to ordinary scheduling, with a warning",
			      "run as root outside containers");
}

void doctor_locking(struct findings *f, const struct topology *t)
{
	static const char subject[] = "right to lock memory";
	enum { TRIED_BYTES = 8 << 20 };
	struct rlimit limit = {0};
	bool locked = false;
	void *memory = os_alloc(TRIED_BYTES, &locked);
	(void)t;
	if (memory)
		os_free(memory, TRIED_BYTES);
	getrlimit(RLIMIT_MEMLOCK, &limit);
	if (locked)
		finding_add(f, FINDING_OK, subject, "yes (8 MB tried)");
	else
		explain_right(finding_add(f, FINDING_NOTE, subject, "not 8 MB: ulimit -l is %llu KB",
					  (unsigned long long)limit.rlim_cur >> 10),
			      "larger buffers stay unlocked and may be paged out, with a warning",
			      "as root: ulimit -l unlimited");
}

void doctor_causes(struct findings *f, const struct topology *t)
{
	struct why why;
	int error = tracer_possible(&why);
	(void)t;
	if (!error)
		finding_add(f, FINDING_OK, "causes of peaks",
			    "the OS's events can be traced while a record is measured");
	else
		doctor_explain(finding_add(f, FINDING_NOTE, "causes of peaks", "%.190s", why.text),
			       "no peak gets a cause: only the counters before and after each record tell",
			       error == -ENOENT ? "apt-get install libtracefs-dev libtraceevent-dev, then make again"
						: "");
}
