/* Linux, doctor: what the OS does of its own accord, by settings that one command changes. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include "harness/os/linux-doctor.h"
#include "harness/os/linux-files.h"

/* A number in a file: fine at `good`, and where an OS was built without the thing; else explained. */
struct setting {
	const char *subject, *path;
	long long good;
	const char *fine, *otherwise, *effect, *mend;
	enum finding_level level;
};

static const struct setting settings[] = {
	{"NMI watchdog", "/proc/sys/kernel/nmi_watchdog", 0, "off", "on: a performance counter interrupts every strand",
	 "about one interrupt a strand every ten seconds", "sysctl -w kernel.nmi_watchdog=0", FINDING_DISTURBS},
	{"RT throttling", "/proc/sys/kernel/sched_rt_runtime_us", -1, "off",
	 "on: real-time threads are stopped for a while each second",
	 "with --realtime a record can show one gap of tens of milliseconds each second",
	 "sysctl -w kernel.sched_rt_runtime_us=-1", FINDING_NOTE},
	{"NUMA balancing", "/proc/sys/kernel/numa_balancing", 0, "off", "on: pages are unmapped to see who uses them",
	 "page faults in records of the memory kernels", "sysctl -w kernel.numa_balancing=0", FINDING_DISTURBS},
	{"timer migration", "/proc/sys/kernel/timer_migration", 1, "on: timers of idle strands move to busy ones",
	 "off", "timers armed on a strand stay there", "sysctl -w kernel.timer_migration=1", FINDING_NOTE},
	{"same-page merging", "/sys/kernel/mm/ksm/run", 0, "off", "on: a thread scans and merges memory",
	 "bursts of a kernel thread, and page faults", "echo 0 > /sys/kernel/mm/ksm/run", FINDING_DISTURBS},
};

static void check_setting(struct findings *f, const struct setting *s)
{
	char text[64];
	long long value;
	int error = doctor_number(s->path, &value, text, sizeof text);
	if (error == -ENOENT)
		finding_add(f, FINDING_OK, s->subject, "this OS has no such setting");
	else if (error == -EINVAL)
		finding_add(f, FINDING_NOTE, s->subject, "not understood: %s says '%.40s'", s->path, text);
	else if (error)
		doctor_unread(f, s->subject, s->path, error);
	else if (value == s->good)
		finding_add(f, FINDING_OK, s->subject, "%s", s->fine);
	else
		doctor_explain(finding_add(f, s->level, s->subject, "%s (%s is %lld)", s->otherwise, s->path, value),
			       s->effect, s->mend);
}

void doctor_settings(struct findings *f, const struct topology *t)
{
	(void)t;
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
		check_setting(f, &settings[i]);
}

/* "always [madvise] never". With madvise the operands, which ask for huge pages, get them, and other programs' memory is left
 * alone. */
void doctor_huge_pages(struct findings *f, const struct topology *t)
{
	static const char subject[] = "huge pages", path[] = "/sys/kernel/mm/transparent_hugepage/enabled";
	char text[64];
	int length = linux_read(path, text, sizeof text);
	(void)t;
	if (length == -ENOENT)
		finding_add(f, FINDING_OK, subject, "this OS has no transparent ones");
	else if (length < 0)
		doctor_unread(f, subject, path, length);
	else if (strstr(text, "[always]"))
		doctor_explain(
			finding_add(f, FINDING_NOTE, subject, "transparent for every program: khugepaged is at work"),
			"a kernel thread scans, moves and joins memory now and then",
			"echo madvise > /sys/kernel/mm/transparent_hugepage/enabled");
	else if (strstr(text, "[madvise]") || strstr(text, "[never]"))
		finding_add(f, FINDING_OK, subject, "%s", text);
	else
		finding_add(f, FINDING_NOTE, subject, "not understood: %s says '%.40s'", path, text);
}
