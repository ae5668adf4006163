#include "bind/strand_list.h"
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool parse_id(const char **text, unsigned *id)
{
	char *end;
	if (**text < '0' || **text > '9')
		return false;
	errno = 0;
	unsigned long long value = strtoull(*text, &end, 10);
	*text = end;
	*id = (unsigned)value;
	return !errno && value < UINT_MAX;
}

int strand_list_parse(const char *list, int (*each)(unsigned id, void *context), void *context)
{
	while (*list) {
		unsigned first, last;
		if (!parse_id(&list, &first))
			return -EINVAL;
		last = first;
		if (*list == '-') {
			list++;
			if (!parse_id(&list, &last) || last < first)
				return -EINVAL;
		}
		for (unsigned id = first; id <= last; id++) {
			int stop = each(id, context);
			if (stop)
				return stop;
		}
		if (*list && (*list != ',' || !list[1]))
			return -EINVAL;
		list += *list == ',';
	}
	return 0;
}

void strand_list_format(char *text, size_t size, const unsigned *ids, size_t count)
{
	size_t length = 0, cut = 0; /* cut: the end of the last term that leaves room for the dots */
	text[0] = 0;
	for (size_t i = 0; i < count;) {
		char term[32];
		size_t last = i;
		while (last + 1 < count && ids[last + 1] == ids[last] + 1)
			last++;
		snprintf(term, sizeof term, last > i ? "%s%u-%u" : "%s%u", i ? "," : "", ids[i], ids[last]);
		size_t term_length = strlen(term);
		if (length + term_length >= size) {
			memcpy(text + cut, "...", sizeof "...");
			return;
		}
		memcpy(text + length, term, term_length + 1);
		length += term_length;
		if (length + sizeof "..." <= size)
			cut = length;
		i = last + 1;
	}
}
