#include "harness/quiet.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bind/select.h"
#include "bind/strand_list.h"
#include "domains/tick/advice.h"

static const char *const state_names[] = {
	[TICK_IN_FORCE] = "in force",
	[TICK_ADVISED] = "advice",
	[TICK_NOT_HERE] = "not here",
};

static int by_id(const void *first, const void *second)
{
	unsigned a = *(const unsigned *)first, b = *(const unsigned *)second;
	return (a > b) - (a < b);
}

static int advise_all(struct quiet *q, const struct tick_strands *strands)
{
	struct tick_configuration tick;
	tick_read(&tick);
	q->advice = calloc(tick_file_count + 1, sizeof *q->advice);
	for (size_t i = 0; i < tick_file_count; i++) {
		if (!*tick_files[i].advice)
			continue;
		int error = q->advice ? tick_advise(&q->advice[q->count++], &tick_files[i], &tick, strands) : -ENOMEM;
		if (error)
			return error;
	}
	return 0;
}

/* Of the strands chosen and those that the OS uses: offline ones are nobody's. */
static int find(struct quiet *q, const struct topology *t, const struct strand_set *chosen)
{
	unsigned *ids = malloc((t->count + chosen->count + 1) * sizeof *ids), *all;
	size_t count = 0, list_size = 12 * chosen->count + sizeof "...";
	q->strands = malloc(list_size);
	if (!ids || !q->strands) {
		free(ids);
		return -ENOMEM;
	}
	for (size_t i = 0; i < chosen->count; i++)
		ids[i] = chosen->items[i]->id;
	all = ids + chosen->count;
	qsort(ids, chosen->count, sizeof *ids, by_id);
	strand_list_format(q->strands, list_size, ids, chosen->count);
	for (size_t i = 0; i < t->count; i++)
		if (t->strands[i].state != STRAND_OFFLINE)
			all[count++] = t->strands[i].id;
	int error = advise_all(q, &(struct tick_strands){ids, all, chosen->count, count});
	free(ids);
	return error;
}

int quiet_find(struct quiet *q, const struct topology *t, const char *selector, struct why *why)
{
	struct strand_set chosen;
	*q = (struct quiet){0};
	int error = select_strands(&chosen, t, selector, why);
	if (error)
		return error;
	error = find(q, t, &chosen);
	strand_set_free(&chosen);
	return error ? why_set(why, error, "no memory") : 0;
}

void quiet_free(struct quiet *q)
{
	for (size_t i = 0; i < q->count; i++)
		tick_advice_free(&q->advice[i]);
	free(q->advice);
	free(q->strands);
	*q = (struct quiet){0};
}

static void print_line(const char *what, const char *text)
{
	if (text && *text)
		printf("          %s: %s\n", what, text);
}

static void print_settings(const char *settings)
{
	for (; settings && *settings; settings += strspn(settings, " ")) {
		int path = (int)strcspn(settings, "="), length = (int)strcspn(settings, " ");
		printf("          set: echo %.*s > %.*s\n", length - path - 1, settings + path + 1, path, settings);
		settings += length;
	}
}

void quiet_print(const struct quiet *q)
{
	size_t advised = 0;
	if (!q->strands)
		return;
	printf("\nfor quiet strands %s:\n", q->strands);
	if (!q->count)
		printf("no tick configuration is known by name for this OS; what stands under OS tick above says what moves it\n");
	for (int state = TICK_IN_FORCE; state <= TICK_NOT_HERE; state++)
		for (size_t i = 0; i < q->count; i++) {
			const struct tick_advice *a = &q->advice[i];
			if ((int)a->state != state)
				continue;
			printf("%-8s  %s: %s\n", state_names[state], a->file->name, a->file->advice);
			print_line("now", a->missing);
			print_line(*a->file->parameters ? "wants an OS kernel with" : "build the OS kernel with",
				   a->config);
			print_line("boot with", a->parameters);
			print_settings(a->settings);
			print_line("note", a->reason);
			advised += state == TICK_ADVISED;
		}
	if (advised)
		printf("change one, sweep as before, and 'cmtnoise compare BEFORE AFTER' says whether it worked\n");
}

static void string(struct json *j, const char *key, const char *value)
{
	json_string(j, key, value && *value ? value : NULL);
}

void quiet_json(struct json *j, const struct quiet *q)
{
	if (!q->strands) {
		json_null(j, "quiet_strands");
		return;
	}
	json_object(j, "quiet_strands");
	json_string(j, "strands", q->strands);
	json_list(j, "tick_configurations");
	for (size_t i = 0; i < q->count; i++) {
		const struct tick_advice *a = &q->advice[i];
		json_object(j, NULL);
		json_string(j, "name", a->file->name);
		json_string(j, "description", a->file->description);
		json_string(j, "advice", a->file->advice);
		json_string(j, "state", state_names[a->state]);
		string(j, "now", a->missing);
		string(j, "config", a->config);
		string(j, "parameters", a->parameters);
		string(j, "settings", a->settings);
		string(j, "note", a->reason);
		json_end_object(j);
	}
	json_end_list(j);
	json_end_object(j);
}
