/* Linux: lists and masks of strands. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "bind/strand_list.h"
#include "domains/tick/linux-tick.h"
#include "harness/os/linux-files.h"

/* A list that does not fit ends in "...", never within a number. */
void tick_keep_list(const char *list, char *kept, size_t size)
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

void tick_read_list(const char *path, char *list, size_t size)
{
	char text[TICK_LINE_SIZE];
	if (linux_read(path, text, sizeof text) > 0)
		tick_keep_list(text, list, size);
}

/* A mask in hexadecimal words of 32 bits, highest first, "ff,ffffffff", as a list of strands. */
void tick_read_mask(const char *path, char *list, size_t size)
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
