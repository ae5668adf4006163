#include "domains/tick/advice.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bind/strand_list.h"

enum { BOOT_STRAND = 0 };
static const char boot_strand[] = "strand 0 is the boot strand, which keeps the time: it cannot be in nohz_full";

/* What a file's {strands} and {others} stand for. */
struct lists {
	char *strands, *others;
};

static bool has_id(const unsigned *ids, size_t count, unsigned id)
{
	for (size_t i = 0; i < count; i++)
		if (ids[i] == id)
			return true;
	return false;
}

/* The ids as a list that is never cut; NULL when memory is out. */
static char *listed(const unsigned *ids, size_t count)
{
	size_t size = 12 * count + sizeof "...";
	char *list = malloc(size);
	if (list)
		strand_list_format(list, size, ids, count);
	return list;
}

/* {strands} are those to be quiet, without the boot strand where nohz_full is asked for. */
static int make_lists(struct lists *l, const struct tick_strands *s, bool without_boot_strand)
{
	unsigned *ids = malloc((s->quiet_count + s->all_count + 1) * sizeof *ids), *others;
	size_t count = 0, rest = 0;
	if (!ids)
		return -ENOMEM;
	for (size_t i = 0; i < s->quiet_count; i++)
		if (!without_boot_strand || s->quiet[i] != BOOT_STRAND)
			ids[count++] = s->quiet[i];
	others = ids + count;
	for (size_t i = 0; i < s->all_count; i++)
		if (!has_id(ids, count, s->all[i]))
			others[rest++] = s->all[i];
	l->strands = listed(ids, count);
	l->others = listed(others, rest);
	free(ids);
	return l->strands && l->others ? 0 : -ENOMEM;
}

/* Adds to a malloc'ed text; once memory was out it stays NULL. */
static void __attribute__((format(printf, 2, 3))) append(char **text, const char *format, ...)
{
	va_list arguments;
	size_t length = *text ? strlen(*text) : 0;
	if (!*text)
		return;
	va_start(arguments, format);
	int more = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	char *grown = realloc(*text, length + (size_t)more + 1);
	if (grown) {
		va_start(arguments, format);
		vsnprintf(grown + length, (size_t)more + 1, format, arguments);
		va_end(arguments);
	} else {
		free(*text);
	}
	*text = grown;
}

/* The text with the lists filled in. */
static char *filled(const char *text, const struct lists *l)
{
	static const char strands[] = "{strands}", others[] = "{others}";
	char *result = calloc(1, 1);
	while (*text)
		if (!strncmp(text, strands, sizeof strands - 1)) {
			append(&result, "%s", l->strands);
			text += sizeof strands - 1;
		} else if (!strncmp(text, others, sizeof others - 1)) {
			append(&result, "%s", l->others);
			text += sizeof others - 1;
		} else {
			append(&result, "%c", *text++);
		}
	return result;
}

/* The next word, cut out of *rest; NULL at the end. */
static char *next_word(char **rest)
{
	char *word = *rest + strspn(*rest, " ");
	size_t length = strcspn(word, " ");
	if (!length)
		return NULL;
	*rest = word + length + (word[length] != 0);
	word[length] = 0;
	return word;
}

struct search {
	const char *list;
	unsigned id;
};

static int is_id(unsigned id, void *context)
{
	return id == ((const struct search *)context)->id;
}

static int is_outside(unsigned id, void *context)
{
	struct search one = {.id = id};
	return strand_list_parse(((const struct search *)context)->list, is_id, &one) != 1;
}

/* Whether every strand of one list is in another; not where either is none ("1,3..." is one that was cut). */
static bool within(const char *inner, const char *outer)
{
	struct search all = {.list = outer};
	return !strand_list_parse(inner, is_outside, &all);
}

/* Lists that must have the strands may have more; the strands that take interrupts may be fewer. */
static bool holds(const char *key, const char *value, const char *wanted)
{
	if (!strcmp(key, "nohz_full") || !strcmp(key, "isolated") || !strcmp(key, "rcu_nocbs"))
		return within(wanted, value);
	if (!strcmp(key, "irq_affinity"))
		return within(value, wanted);
	return !strcmp(value, wanted);
}

/* What of expect, filled in, is not so: a clause each. Cuts expect into its words. */
static char *missing(const struct tick_configuration *tick, char *expect)
{
	char value[256], *result = calloc(1, 1);
	for (char *key; (key = next_word(&expect));) {
		size_t length = strcspn(key, "=");
		const char *wanted = key + length + (key[length] == '=');
		key[length] = 0;
		bool told = tick_word(tick, key, value, sizeof value);
		if (!told || !holds(key, value, wanted))
			append(&result, "%s%s is %s, not %s", result && *result ? "; " : "", key,
			       told ? value : "not told", wanted);
	}
	return result;
}

/* With boot parameters beside them only options that must be there: one that must not be is the other way to the same. */
static char *options(const struct tick_file *file)
{
	char *words = strdup(file->config), *rest = words, *result = calloc(1, 1);
	for (char *word; words && (word = next_word(&rest));) {
		size_t length = strlen(word);
		bool off = length > 2 && !strcmp(word + length - 2, "=n");
		if (!off || !*file->parameters)
			append(&result, "%sCONFIG_%s", result && *result ? " " : "", word);
	}
	if (!words) {
		free(result);
		result = NULL;
	}
	free(words);
	return result;
}

static bool names_strands(const char *text)
{
	return strstr(text, "{strands}") || strstr(text, "{others}");
}

/* Whether two strands or more are left that tick: those in nohz_full do not. */
static bool ticks_meet(const struct tick_configuration *tick, const struct tick_strands *s)
{
	size_t count = 0;
	for (size_t i = 0; i < s->all_count; i++) {
		struct search one = {.id = s->all[i]};
		count += strand_list_parse(tick->nohz_full, is_id, &one) != 1;
	}
	return count > 1;
}

/* Says why the file cannot be followed on these strands; false where it can. */
static bool not_here(struct tick_advice *a, const struct tick_configuration *tick, const struct tick_strands *s,
		     const struct lists *l, bool nohz_full)
{
	bool of_strands = names_strands(a->file->parameters) || names_strands(a->file->settings);
	if (of_strands && s->all_count < 2)
		snprintf(a->reason, sizeof a->reason,
			 "there is one strand: what is kept away from it would have nowhere to go");
	else if (strstr(a->file->expect, "skew_tick=") && s->all_count < 2)
		snprintf(a->reason, sizeof a->reason, "there is one strand: none ticks beside it");
	else if (strstr(a->file->expect, "skew_tick=") && *a->missing && !ticks_meet(tick, s))
		snprintf(a->reason, sizeof a->reason, "at most one strand ticks: the others are in nohz_full");
	else if (nohz_full && !*l->strands)
		snprintf(a->reason, sizeof a->reason, "%s", boot_strand);
	else if (of_strands && !*l->others)
		snprintf(a->reason, sizeof a->reason, "it leaves no strand for everything else: ask for fewer");
	else
		return false;
	return true;
}

static int advise(struct tick_advice *a, const struct tick_configuration *tick, const struct tick_strands *s,
		  const struct lists *l)
{
	bool nohz_full = strstr(a->file->parameters, "nohz_full=") != NULL;
	char *expect = filled(a->file->expect, l);
	if (!expect)
		return -ENOMEM;
	a->missing = *expect ? missing(tick, expect) : strdup("what is in force is not told");
	free(expect);
	if (!a->missing)
		return -ENOMEM;
	bool impossible = not_here(a, tick, s, l, nohz_full);
	a->state = impossible ? TICK_NOT_HERE : *a->missing ? TICK_ADVISED : TICK_IN_FORCE;
	if (!impossible && nohz_full && has_id(s->quiet, s->quiet_count, BOOT_STRAND))
		snprintf(a->reason, sizeof a->reason, "for strands %.40s: %s", l->strands, boot_strand);
	if (a->state != TICK_ADVISED) {
		*a->missing = 0;
		return 0;
	}
	a->config = options(a->file);
	a->parameters = filled(a->file->parameters, l);
	a->settings = filled(a->file->settings, l);
	return a->config && a->parameters && a->settings ? 0 : -ENOMEM;
}

int tick_advise(struct tick_advice *a, const struct tick_file *file, const struct tick_configuration *tick,
		const struct tick_strands *strands)
{
	struct lists lists = {0};
	*a = (struct tick_advice){.file = file};
	int error = make_lists(&lists, strands, strstr(file->parameters, "nohz_full=") != NULL);
	if (!error)
		error = advise(a, tick, strands, &lists);
	free(lists.strands);
	free(lists.others);
	return error;
}

void tick_advice_free(struct tick_advice *a)
{
	free(a->config);
	free(a->parameters);
	free(a->settings);
	free(a->missing);
	*a = (struct tick_advice){0};
}
