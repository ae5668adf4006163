/* Linux: how the OS kernel was built and booted. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "domains/tick/linux-tick.h"
#include "harness/os/linux-files.h"

bool tick_boot_parameter(const char *name, char *value, size_t size)
{
	char line[TICK_LINE_SIZE], *rest = line;
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

static void config_line(struct tick_os_config *c, const char *line)
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
	c->forced_threading |= !strcmp(line, "CONFIG_IRQ_FORCED_THREADING=y");
	c->found |= !strncmp(line, "CONFIG_", sizeof "CONFIG_" - 1);
	for (size_t i = 0; i < sizeof models / sizeof *models; i++)
		if (!strcmp(line, models[i].option) && strcmp(c->preemption, "rt"))
			snprintf(c->preemption, sizeof c->preemption, "%s", models[i].name);
	if (!strcmp(line, "CONFIG_PREEMPT_RT=y")) /* since 6.13 beside one of the models, which then matters less */
		snprintf(c->preemption, sizeof c->preemption, "rt");
}

static void config_stream(struct tick_os_config *c, FILE *stream)
{
	char line[256];
	while (fgets(line, sizeof line, stream)) {
		line[strcspn(line, "\n")] = 0;
		config_line(c, line);
	}
}

static bool config_file(struct tick_os_config *c, const char *folder, const char *release, const char *name)
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

void tick_read_config(struct tick_os_config *c)
{
	struct utsname name;
	char command[4200];
	FILE *stream;
	*c = (struct tick_os_config){0};
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
