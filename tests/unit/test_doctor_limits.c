/* The doctor on what the program is allowed. */
#define _GNU_SOURCE
#include "tests/unit/doctor.h"
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void quotas_of_version_2(void **state)
{
	(void)state;
	put("/proc/self/cgroup", "0::/box/inner\n");
	expect("CPU quota", FINDING_OK, "none", "");
	put("/sys/fs/cgroup/box/inner/cpu.max", "max 100000\n");
	expect("CPU quota", FINDING_OK, "none", "");
	put("/sys/fs/cgroup/box/cpu.max", "800000 100000\n");
	expect("CPU quota", FINDING_OK, "enough for all strands", "");
	put("/sys/fs/cgroup/box/cpu.max", "250000 100000\n");
	expect("CPU quota", FINDING_NOTE, "250000 us in every 100000 us: enough for one strand, not for all",
	       "run outside the container's limit, or echo max > /sys/fs/cgroup/box/cpu.max");
	put("/sys/fs/cgroup/box/inner/cpu.max", "50000 100000\n"); /* the tightest counts */
	expect("CPU quota", FINDING_PREVENTS, "50000 us in every 100000 us",
	       "run outside the container's limit, or echo max > /sys/fs/cgroup/box/inner/cpu.max");
	put("/sys/fs/cgroup/box/inner/cpu.max", "banana\n");
	put("/sys/fs/cgroup/box/cpu.max", "50000 0\n");
	expect("CPU quota", FINDING_OK, "none", "");
}

static void quotas_of_version_1(void **state)
{
	static const char quota[] = "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us";
	(void)state;
	/* Inside a container: the path is the host's, and only the top is there. */
	put("/proc/self/cgroup", "9:name=systemd:/\n3:cpuset:/\n2:cpu,cpuacct:/docker/0123\n0::/\n");
	put("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
	put(quota, "-1\n");
	expect("CPU quota", FINDING_OK, "none", "");
	put(quota, "100000\n");
	expect("CPU quota", FINDING_PREVENTS, "100000 us in every 100000 us",
	       "run outside the container's limit, or echo -1 > /sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us");
	put("/proc/self/cgroup", "2:cpuset,cpuacct:/\nnonsense\n:\n\n");
	expect("CPU quota", FINDING_NOTE, "not known here", "");
}

enum { NO_TRIAL = 77 };

static bool tells_of_setcap(const struct finding *f, const char *program)
{
	return f->level == FINDING_NOTE && !strncmp(f->mend, "sudo setcap cap_sys_nice,cap_ipc_lock+ep '", 42) &&
	       strstr(f->mend, strlen(program) < 128 ? program : "PROGRAM");
}

/* In a child: the first right that is not told to be missing, counted from 1. */
static int look_without_rights(void)
{
	struct findings findings = {0};
	char program[256], byte;
	setrlimit(RLIMIT_RTPRIO, &(struct rlimit){0});
	setrlimit(RLIMIT_MEMLOCK, &(struct rlimit){0});
	if (!geteuid() && setuid(65534))
		return NO_TRIAL;
	/* Now: an emulator reads this link by the program's path, which may lie where this user may not look. */
	ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
	if (length <= 0)
		length = snprintf(program, sizeof program, "PROGRAM");
	program[length] = 0;
	if (os_doctor(&findings, &machine))
		return NO_TRIAL;
	if (!tells_of_setcap(find(&findings, "right to --realtime"), program))
		return 1;
	/* The sanitizers answer mlock themselves, and always with success. */
	if (mlock(&byte, 1) && !tells_of_setcap(find(&findings, "right to lock memory"), program))
		return 2;
	return 0;
}

static void missing_rights(void **state)
{
	int status;
	(void)state;
	pid_t child = fork();
	if (!child)
		_exit(look_without_rights());
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == NO_TRIAL)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* What is tried is given back: the doctor must not leave the program itself under real-time scheduling. */
static void trying_leaves_nothing_behind(void **state)
{
	struct findings findings = {0};
	(void)state;
	int before = sched_getscheduler(0);
	assert_int_equal(os_doctor(&findings, &machine), 0);
	assert_int_equal(sched_getscheduler(0), before);
	findings_free(&findings);
}

static void tracing(void **state)
{
	static const char install[] = "apt-get install libtracefs-dev libtraceevent-dev, then make again";
	char program[80];
	(void)state;
	setenv("CMTNOISE_EXEC_PATH", host_root, 1);
	setenv("PATH", "", 1);
	expect("causes of peaks", FINDING_NOTE, "there is no program cmtnoise-trace", install);
	put("/cmtnoise-trace", "#!/bin/sh\necho failed this user may not trace\n");
	snprintf(program, sizeof program, "%s/cmtnoise-trace", host_root);
	chmod(program, 0755);
	expect("causes of peaks", FINDING_NOTE, "this user may not trace", "");
	put("/cmtnoise-trace", "#!/bin/sh\n[ \"$1\" = --check ] && echo possible\n");
	expect("causes of peaks", FINDING_OK, "can be traced", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_A_HOST(quotas_of_version_2),
		ON_A_HOST(quotas_of_version_1),
		ON_A_HOST(missing_rights),
		ON_A_HOST(trying_leaves_nothing_behind),
		ON_A_HOST(tracing),
	};
	return cmocka_run_group_tests_name("doctor: limits", tests, NULL, NULL);
}
