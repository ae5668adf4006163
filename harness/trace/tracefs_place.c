/* Where tracefs is mounted, whether this user may use it, and instances that were left behind. */
#include <errno.h>
#include <mntent.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <tracefs.h>
#include "harness/os/linux-files.h"
#include "harness/trace/owner.h"
#include "harness/trace/tracing.h"

static bool os_has_tracefs(void)
{
	char list[4096];
	return linux_read("/proc/filesystems", list, sizeof list) < 0 || strstr(list, "tracefs");
}

static bool is_mounted(void)
{
	FILE *mounts = linux_open("/proc/mounts");
	bool found = false;
	for (struct mntent *m; mounts && !found && (m = getmntent(mounts));)
		found = !strcmp(m->mnt_type, "tracefs");
	if (mounts)
		fclose(mounts);
	return found;
}

int tracing_possible(bool mount, struct why *why)
{
	char instances[256];
	bool mounted = is_mounted(), root = !geteuid();

	tracefs_set_loglevel(TEP_LOG_NONE);
	if (!os_has_tracefs())
		return why_set(why, -ENOTSUP, "this OS was built without tracing (CONFIG_FTRACE)");
	/* The library's tracing folder is mounted by asking for it. */
	const char *folder = mounted || (mount && root) ? tracefs_tracing_dir() : NULL;
	if (!folder && (mounted || mount || !root))
		return why_set(
			why, -EPERM,
			"tracefs is not mounted, and %s: run as root, or let root mount it with: mount -t tracefs "
			"nodev /sys/kernel/tracing",
			root ? "could not be mounted here" : "only root may mount it");
	if (!folder)
		return 0;
	snprintf(instances, sizeof instances, "%s/instances", folder);
	if (access(instances, R_OK | W_OK | X_OK))
		return why_set(why, -errno, "this user may not trace (%s: %s): run as root", instances,
			       strerror(errno));
	return 0;
}

/* An instance in use cannot be removed: the OS says EBUSY, and it stays. */
static int remove_if_stale(const char *name, void *context)
{
	char path[512];
	int owner = owner_of(name);
	(void)context;
	if (!owner || (owner != getpid() && owner_runs(owner)))
		return 0;
	snprintf(path, sizeof path, "%s/instances/%s", tracefs_tracing_dir(), name);
	rmdir(path);
	return 0;
}

void tracing_remove_stale(void)
{
	tracefs_instances_walk(remove_if_stale, NULL);
}
