/*
 * A guest's first program that asks the OS kernel's own osnoise tracer how many interrupts take a strand in a second, and how long
 * each lasts (Linux, Documentation/trace/osnoise-tracer.rst). Prints the tracer's lines to the console and powers off.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <unistd.h>

#define TRACING "/sys/kernel/tracing/"

/* The boot's last timer comes after two seconds; a window is told once it is over. */
enum { SETTLE_S = 3, WATCH_S = 2 };

static void mount_at(const char *at, const char *type)
{
	mkdir(at, 0755);
	if (mount(type, at, type, 0, NULL) && errno != EBUSY)
		printf("osnoise: %s: %s\n", at, strerror(errno));
}

static void put(const char *path, const char *text)
{
	int file = open(path, O_WRONLY);
	if (file < 0 || write(file, text, strlen(text)) < 0)
		printf("osnoise: %s: %s\n", path, strerror(errno));
	if (file >= 0)
		close(file);
}

static void print_lines(const char *path)
{
	char line[512];
	FILE *file = fopen(path, "r");
	while (file && fgets(line, sizeof line, file))
		printf("@%s", line);
	if (file)
		fclose(file);
}

int main(void)
{
	mount_at("/proc", "proc");
	mount_at("/sys", "sysfs");
	mount_at("/sys/kernel/tracing", "tracefs");
	sleep(SETTLE_S);
	put(TRACING "osnoise/period_us", "1000000");
	put(TRACING "osnoise/runtime_us", "1000000");
	put(TRACING "events/osnoise/irq_noise/enable", "1");
	put(TRACING "current_tracer", "osnoise");
	sleep(WATCH_S);
	put(TRACING "tracing_on", "0");
	print_lines(TRACING "trace");
	fflush(stdout);
	reboot(RB_POWER_OFF);
}
