#include "harness/findings.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct finding *finding_add(struct findings *f, enum finding_level level, const char *subject, const char *found, ...)
{
	va_list arguments;
	if (f->count == f->size) {
		size_t size = f->size ? 2 * f->size : 16;
		struct finding *grown = realloc(f->items, size * sizeof *grown);
		if (!grown)
			return NULL;
		f->items = grown;
		f->size = size;
	}
	struct finding *item = &f->items[f->count++];
	*item = (struct finding){.level = level};
	snprintf(item->subject, sizeof item->subject, "%s", subject);
	va_start(arguments, found);
	vsnprintf(item->found, sizeof item->found, found, arguments);
	va_end(arguments);
	return item;
}

void finding_effect(struct finding *f, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	if (f)
		vsnprintf(f->effect, sizeof f->effect, format, arguments);
	va_end(arguments);
}

void finding_mend(struct finding *f, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	if (f)
		vsnprintf(f->mend, sizeof f->mend, format, arguments);
	va_end(arguments);
}

void findings_free(struct findings *f)
{
	free(f->items);
	*f = (struct findings){0};
}
