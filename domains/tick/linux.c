/* Linux: the tick configuration, from what any user may read. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include "bind/strand_list.h"
#include "domains/tick/tick.h"
#include "harness/os/linux-files.h"

/* The OS kernel's own configuration, where it can be found. */
struct config {
	bool known, periodic, nohz_idle, nohz_full, preempt_dynamic;
	char preemption[24];
};

/* The coarse clocks advance once a tick: their resolution is the tick's period (Linux: TICK_NSEC). */
static unsigned tick_hz(void)
{
	struct timespec period;
	if (clock_getres(CLOCK_MONOTONIC_COARSE, &period) || period.tv_sec || !period.tv_nsec)
		return 0;
	return (unsigned)((1000000000 + period.tv_nsec / 2) / period.tv_nsec);
}

/* The value of NAME=value on the boot command line; NAME alone gives "". The last one counts. */
static bool boot_parameter(const char *name, char *value, size_t size)
{
	char line[4096], *rest = line;
	bool found = false;
	size_t length = strlen(name);
	if (linux_read("/proc/cmdline", line, sizeof line) < 0)
		return false;
	for (char *word; (word = strsep(&rest, " "));)
		if (!strncmp(word, name, length) && (word[length] == '=' || !word[length])) {
			snprintf(value, size, "%s", word[length] ? word + length + 1 : "");
			found = true;
		}
	return found;
}

static void config_line(struct config *c, const char *line)
{
	static const struct {
		const char *option, *name;
	} models[] = {
		{"CONFIG_PREEMPT_NONE=y", "none"}, {"CONFIG_PREEMPT_VOLUNTARY=y", "voluntary"},
		{"CONFIG_PREEMPT=y", "full"},      {"CONFIG_PREEMPT_LAZY=y", "lazy"},
		{"CONFIG_PREEMPT_RT=y", "rt"},
	};
	c->known |= !strncmp(line, "CONFIG_HZ=", 10);
	c->periodic |= !strcmp(line, "CONFIG_HZ_PERIODIC=y");
	c->nohz_idle |= !strcmp(line, "CONFIG_NO_HZ_IDLE=y");
	c->nohz_full |= !strcmp(line, "CONFIG_NO_HZ_FULL=y");
	for (size_t i = 0; i < sizeof models / sizeof *models; i++)
		if (!strcmp(line, models[i].option))
			snprintf(c->preemption, sizeof c->preemption, "%s", models[i].name);
}

static void config_stream(struct config *c, FILE *stream)
{
	char line[256];
	while (fgets(line, sizeof line, stream)) {
		line[strcspn(line, "\n")] = 0;
		config_line(c, line);
	}
}

static void read_config(struct config *c)
{
	struct utsname name;
	char path[256], command[4200];
	*c = (struct config){0};
	uname(&name);
	snprintf(path, sizeof path, "/boot/config-%.65s", name.release);
	FILE *stream = linux_open(path);
	if (stream) {
		config_stream(c, stream);
		fclose(stream);
		return;
	}
	/* Packed by the OS; gzip is part of every Linux that has a shell, and without it the configuration stays unknown. The root is
	 * a test's own folder. */
	snprintf(command, sizeof command, "exec gzip -dc '%s' 2>/dev/null", linux_path("/proc/config.gz"));
	if (access(linux_path("/proc/config.gz"), R_OK) || !(stream = popen(command, "re")))
		return;
	config_stream(c, stream);
	pclose(stream);
}

static void read_mode(struct tick_configuration *tick, const struct config *c)
{
	char nohz[16] = "";
	bool off = boot_parameter("nohz", nohz, sizeof nohz) && !strcmp(nohz, "off");
	const char *mode = "";
	if (tick->nohz_full[0])
		mode = "nohz-full"; /* only there if it is in force */
	else if (off || c->periodic)
		mode = "periodic";
	else if (c->nohz_idle || c->nohz_full)
		mode = "nohz-idle"; /* NO_HZ_FULL without strands named behaves as NO_HZ_IDLE */
	snprintf(tick->mode, sizeof tick->mode, "%s", mode);
}

/* "none voluntary (full)" in debugfs names the one in force; else the boot parameter, else the build's default. */
static void read_preemption(struct tick_configuration *tick, const struct config *c)
{
	char text[128], *begin;
	if (linux_read("/sys/kernel/realtime", text, sizeof text) > 0 && !strcmp(text, "1")) {
		snprintf(tick->preemption, sizeof tick->preemption, "rt");
	} else if (linux_read("/sys/kernel/debug/sched/preempt", text, sizeof text) > 0 &&
		   (begin = strchr(text, '('))) {
		begin[1 + strcspn(begin + 1, ")")] = 0;
		snprintf(tick->preemption, sizeof tick->preemption, "%.23s", begin + 1);
	} else if (!boot_parameter("preempt", tick->preemption, sizeof tick->preemption)) {
		snprintf(tick->preemption, sizeof tick->preemption, "%s", c->preemption);
	}
}

static void read_list(const char *path, char *list, size_t size)
{
	if (linux_read(path, list, size) < 0 || !strcmp(list, "(null)"))
		list[0] = 0;
}

/* A mask in hexadecimal words of 32 bits, highest first, "ff,ffffffff", as a list of strands. */
static void read_mask(const char *path, char *list, size_t size)
{
	char mask[2048];
	unsigned ids[4096], digits = 0;
	size_t count = 0;
	list[0] = 0;
	int length = linux_read(path, mask, sizeof mask);
	for (int i = length - 1; i >= 0; i--) {
		if (mask[i] == ',')
			continue;
		unsigned long digit = strtoul((char[]){mask[i], 0}, NULL, 16);
		for (unsigned bit = 0; bit < 4 && count < 4096; bit++)
			if (digit >> bit & 1)
				ids[count++] = 4 * digits + bit;
		digits++;
	}
	strand_list_format(list, size, ids, count);
}

void tick_read(struct tick_configuration *tick)
{
	struct config config;
	*tick = (struct tick_configuration){.hz = tick_hz()};
	read_config(&config);
	read_list("/sys/devices/system/cpu/nohz_full", tick->nohz_full, sizeof tick->nohz_full);
	read_list("/sys/devices/system/cpu/isolated", tick->isolated, sizeof tick->isolated);
	boot_parameter("rcu_nocbs", tick->rcu_nocbs, sizeof tick->rcu_nocbs);
	read_mask("/proc/irq/default_smp_affinity", tick->irq_affinity, sizeof tick->irq_affinity);
	read_list("/sys/devices/system/clocksource/clocksource0/current_clocksource", tick->clocksource,
		  sizeof tick->clocksource);
	read_mode(tick, &config);
	read_preemption(tick, &config);
}
