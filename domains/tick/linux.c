/* Linux: the tick configuration, from what any user may read. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include "bind/strand_list.h"
#include "domains/tick/tick.h"
#include "harness/os/linux-files.h"

enum { LINE_SIZE = 32768 }; /* of a boot command line, of a list of every other strand of a very large machine */

/* The OS kernel's own configuration, where it can be found. */
struct config {
	bool periodic, nohz, preempt_dynamic;
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
	char line[LINE_SIZE], *rest = line;
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

static const char *const preemption_models[] = {"none", "voluntary", "full", "lazy"};

/* Sets the model if it is one; false leaves what was there. */
static bool set_preemption(struct tick_configuration *tick, const char *model)
{
	for (size_t i = 0; i < sizeof preemption_models / sizeof *preemption_models; i++)
		if (!strcmp(model, preemption_models[i])) {
			snprintf(tick->preemption, sizeof tick->preemption, "%s", preemption_models[i]);
			return true;
		}
	return false;
}

static void config_line(struct config *c, const char *line)
{
	static const struct {
		const char *option, *name;
	} models[] = {
		{"CONFIG_PREEMPT_NONE=y", "none"},
		{"CONFIG_PREEMPT_VOLUNTARY=y", "voluntary"},
		{"CONFIG_PREEMPT=y", "full"},
		{"CONFIG_PREEMPT_LAZY=y", "lazy"},
	};
	c->periodic |= !strcmp(line, "CONFIG_HZ_PERIODIC=y");
	c->nohz |= !strcmp(line, "CONFIG_NO_HZ_IDLE=y") || !strcmp(line, "CONFIG_NO_HZ_FULL=y");
	c->preempt_dynamic |= !strcmp(line, "CONFIG_PREEMPT_DYNAMIC=y");
	for (size_t i = 0; i < sizeof models / sizeof *models; i++)
		if (!strcmp(line, models[i].option) && strcmp(c->preemption, "rt"))
			snprintf(c->preemption, sizeof c->preemption, "%s", models[i].name);
	if (!strcmp(line, "CONFIG_PREEMPT_RT=y")) /* since 6.13 beside one of the models, which then matters less */
		snprintf(c->preemption, sizeof c->preemption, "rt");
}

static void config_stream(struct config *c, FILE *stream)
{
	char line[256];
	while (fgets(line, sizeof line, stream)) {
		line[strcspn(line, "\n")] = 0;
		config_line(c, line);
	}
}

static bool config_file(struct config *c, const char *folder, const char *release, const char *name)
{
	char path[256];
	snprintf(path, sizeof path, "%s%.65s%s", folder, release, name);
	FILE *stream = linux_open(path);
	if (!stream)
		return false;
	config_stream(c, stream);
	fclose(stream);
	return true;
}

static void read_config(struct config *c)
{
	struct utsname name;
	char command[4200];
	FILE *stream;
	*c = (struct config){0};
	uname(&name);
	if (config_file(c, "/boot/config-", name.release, "") ||
	    config_file(c, "/lib/modules/", name.release, "/config"))
		return;
	/* Packed by the OS; gzip is part of every Linux that has a shell, and without it the configuration stays unknown. The root is
	 * a test's own folder. */
	snprintf(command, sizeof command, "exec gzip -dc '%s' 2>/dev/null", linux_path("/proc/config.gz"));
	if (access(linux_path("/proc/config.gz"), R_OK) || !(stream = popen(command, "re")))
		return;
	config_stream(c, stream);
	pclose(stream);
}

/* As the OS reads it: "off", or a word that begins as "no", "false" or "0". */
static bool is_off(const char *value)
{
	return !strcmp(value, "off") || (*value && strchr("nNfF0", *value));
}

static void read_mode(struct tick_configuration *tick, const struct config *c)
{
	char nohz[16] = "", list[16];
	bool off = boot_parameter("nohz", nohz, sizeof nohz) && is_off(nohz);
	const char *mode = "";
	if (tick->nohz_full[0])
		mode = "nohz-full"; /* only there if it is in force */
	else if (off || c->periodic)
		mode = "periodic";
	else if (c->nohz || linux_read("/sys/devices/system/cpu/nohz_full", list, sizeof list) >= 0)
		mode = "nohz-idle"; /* NO_HZ_FULL, which has that file, behaves as NO_HZ_IDLE without strands named */
	snprintf(tick->mode, sizeof tick->mode, "%s", mode);
}

/* A word of the OS's version, "#1 SMP PREEMPT_DYNAMIC Debian 6.1.1". */
static bool has_word(const char *version, const char *word)
{
	size_t length = strlen(word);
	for (const char *at = version; (at = strstr(at, word)); at += length)
		if ((at == version || at[-1] == ' ') && (!at[length] || at[length] == ' '))
			return true;
	return false;
}

/* Of an OS whose version says what it was built with, where its configuration is not to be had. */
static const char *preemption_of_version(const char *version)
{
	return has_word(version, "PREEMPT_LAZY") ? "lazy" : has_word(version, "PREEMPT") ? "full" : "";
}

/* RT comes first: the other sources go on naming a model under it. Then the one in force, "none voluntary (full)" in
 * debugfs; then the boot parameter, which only an OS built to choose at boot obeys; then what it was built with. */
static void read_preemption(struct tick_configuration *tick, const struct config *c)
{
	char text[128], version[256], *begin;
	linux_read("/proc/sys/kernel/version", version, sizeof version);
	bool rt = has_word(version, "PREEMPT_RT") || has_word(version, "PREEMPT RT") || !strcmp(c->preemption, "rt") ||
		  (linux_read("/sys/kernel/realtime", text, sizeof text) > 0 && !strcmp(text, "1"));
	if (rt) {
		snprintf(tick->preemption, sizeof tick->preemption, "rt");
		return;
	}
	if (linux_read("/sys/kernel/debug/sched/preempt", text, sizeof text) > 0 && (begin = strchr(text, '('))) {
		begin[1 + strcspn(begin + 1, ")")] = 0;
		if (set_preemption(tick, begin + 1))
			return;
	}
	if ((c->preempt_dynamic || has_word(version, "PREEMPT_DYNAMIC")) &&
	    boot_parameter("preempt", text, sizeof text) && set_preemption(tick, text))
		return;
	set_preemption(tick, c->preemption[0] ? c->preemption : preemption_of_version(version));
}

/* A list that does not fit ends in "...", never within a number. */
static void keep_list(const char *list, char *kept, size_t size)
{
	size_t end = size - sizeof "...";
	if (!strcmp(list, "(null)")) /* some versions print their empty mask so */
		list = "";
	if (strlen(list) < size) {
		snprintf(kept, size, "%s", list);
		return;
	}
	while (end && list[end] != ',')
		end--;
	snprintf(kept, size, "%.*s...", (int)end, list);
}

static void read_list(const char *path, char *list, size_t size)
{
	char text[LINE_SIZE];
	if (linux_read(path, text, sizeof text) > 0)
		keep_list(text, list, size);
}

/* A mask in hexadecimal words of 32 bits, highest first, "ff,ffffffff", as a list of strands. */
static void read_mask(const char *path, char *list, size_t size)
{
	static const char digits[] = "0123456789abcdef";
	char mask[4096];
	unsigned ids[8192], position = 0;
	size_t count = 0;
	int length = linux_read(path, mask, sizeof mask);
	for (int i = length - 1; i >= 0; i--) {
		if (mask[i] == ',')
			continue;
		const char *digit = strchr(digits, tolower((unsigned char)mask[i]));
		if (!digit)
			return;
		for (unsigned bit = 0; bit < 4 && count < sizeof ids / sizeof *ids; bit++)
			if ((digit - digits) >> bit & 1)
				ids[count++] = position + bit;
		position += 4;
	}
	strand_list_format(list, size, ids, count);
}

void tick_read(struct tick_configuration *tick)
{
	struct config config;
	char rcu_nocbs[LINE_SIZE];
	*tick = (struct tick_configuration){.hz = tick_hz()};
	read_config(&config);
	read_list("/sys/devices/system/cpu/nohz_full", tick->nohz_full, sizeof tick->nohz_full);
	read_list("/sys/devices/system/cpu/isolated", tick->isolated, sizeof tick->isolated);
	if (boot_parameter("rcu_nocbs", rcu_nocbs, sizeof rcu_nocbs))
		keep_list(rcu_nocbs, tick->rcu_nocbs, sizeof tick->rcu_nocbs);
	read_mask("/proc/irq/default_smp_affinity", tick->irq_affinity, sizeof tick->irq_affinity);
	read_list("/sys/devices/system/clocksource/clocksource0/current_clocksource", tick->clocksource,
		  sizeof tick->clocksource);
	read_mode(tick, &config);
	read_preemption(tick, &config);
}
