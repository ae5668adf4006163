/* Linux, doctor: what else runs on these strands. */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "harness/os/linux-doctor.h"
#include "harness/os/linux-files.h"

struct steal {
	size_t strands; /* that tell theirs */
	unsigned where; /* was most stolen from */
	unsigned long long most, total;
};

/* "cpuN user nice system idle iowait irq softirq steal ...", in the unit that _SC_CLK_TCK tells. */
static void add_steal(struct steal *s, const struct topology *t, const char *line)
{
	unsigned id;
	unsigned long long stolen;
	if (sscanf(line, "cpu%u %*u %*u %*u %*u %*u %*u %*u %llu", &id, &stolen) != 2)
		return;
	const struct strand *strand = topology_strand(t, id);
	if (!strand || !strand_can_run(strand->state))
		return;
	s->strands++;
	s->total += stolen;
	if (stolen > s->most) {
		s->most = stolen;
		s->where = id;
	}
}

void doctor_steal(struct findings *f, const struct topology *t)
{
	struct steal s = {0};
	unsigned long long second = (unsigned long long)sysconf(_SC_CLK_TCK);
	FILE *file = linux_open("/proc/stat");
	char *line = NULL;
	size_t size = 0;
	while (file && getline(&line, &size, file) > 0)
		if (!strncmp(line, "cpu", 3) && isdigit((unsigned char)line[3]))
			add_steal(&s, t, line);
	free(line);
	if (file)
		fclose(file);
	if (!s.strands)
		finding_add(f, FINDING_NOTE, "steal", "not known here: /proc/stat does not say");
	else if (!s.most)
		finding_add(f, FINDING_OK, "steal", "no time was stolen from these strands since the start of the OS");
	else
		doctor_explain(
			finding_add(f, FINDING_DISTURBS, "steal",
				    "%llu ms since the start of the OS, most of it from strand %u (%llu ms)",
				    s.total * 1000 / second, s.where, s.most * 1000 / second),
			"the hypervisor ran something else meanwhile: gaps that nothing inside this guest explains",
			"ask the host for dedicated CPUs");
}

static bool is_running(const char *process, const char *name)
{
	char path[300], command[32];
	if (!isdigit((unsigned char)process[0]))
		return false;
	snprintf(path, sizeof path, "/proc/%s/comm", process);
	return linux_read(path, command, sizeof command) > 0 && !strcmp(command, name);
}

void doctor_irqbalance(struct findings *f, const struct topology *t)
{
	DIR *folder = opendir(linux_path("/proc"));
	struct dirent *entry;
	char text[32];
	bool found = false;
	(void)t;
	while (folder && !found && (entry = readdir(folder)))
		found = is_running(entry->d_name, "irqbalance");
	if (folder)
		closedir(folder);
	if (found)
		doctor_explain(finding_add(f, FINDING_DISTURBS, "irqbalance", "running"),
			       "device interrupts move between strands while records are made",
			       "systemctl stop irqbalance");
	else if (linux_read("/proc/1/comm", text, sizeof text) < 0) /* /proc may be mounted to hide them (hidepid) */
		finding_add(f, FINDING_NOTE, "irqbalance", "not known here: other users' processes are hidden");
	else
		finding_add(f, FINDING_OK, "irqbalance", "not running");
}

void doctor_load(struct findings *f, const struct topology *t)
{
	static const char path[] = "/proc/loadavg";
	char text[128], *end;
	int length = linux_read(path, text, sizeof text);
	if (length < 0) {
		doctor_unread(f, "load", path, length);
		return;
	}
	double load = strtod(text, &end);
	size_t strands = doctor_usable(t);
	if (end == text || !(load >= 0))
		finding_add(f, FINDING_NOTE, "load", "not understood: %s says '%.40s'", path, text);
	else if (load <= 0.5 * (double)strands)
		finding_add(f, FINDING_OK, "load", "%.2f in the last minute", load);
	else
		doctor_explain(finding_add(f, FINDING_DISTURBS, "load", "%.2f in the last minute, on %zu strands", load,
					   strands),
			       "other programs take the strands in turn with the measurement",
			       "end them first; top shows which");
}

void doctor_tuned(struct findings *f, const struct topology *t)
{
	static const char path[] = "/etc/tuned/active_profile";
	char profile[64];
	int length = linux_read(path, profile, sizeof profile);
	(void)t;
	if (length == 0 || length == -ENOENT)
		finding_add(f, FINDING_OK, "tuned", "no profile is active");
	else if (length < 0)
		doctor_unread(f, "tuned", path, length);
	else
		finding_add(f, FINDING_NOTE, "tuned", "profile %s is active: it sets some of what stands here",
			    profile);
}
