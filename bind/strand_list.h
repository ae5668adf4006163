/* Lists of strand ids as people and operating systems write them: "0,4-7". */
#ifndef CMTNOISE_STRAND_LIST_H
#define CMTNOISE_STRAND_LIST_H

#include <stddef.h>

/* Calls each(id) for every id in the order written, until one returns non-zero, which is then the result. -EINVAL for what
 * is no list; a descending range and an id that does not fit are none. The empty list is one. */
int strand_list_parse(const char *list, int (*each)(unsigned id, void *context), void *context);

/* Writes ascending ids compactly, "0-3,8"; a list that does not fit ends in "...". size >= 4. */
void strand_list_format(char *text, size_t size, const unsigned *ids, size_t count);

#endif
