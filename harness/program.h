/* The other programs of the suite, cmtnoise-WORD, found as git finds its own. */
#ifndef CMTNOISE_PROGRAM_H
#define CMTNOISE_PROGRAM_H

#include <stddef.h>

/* Looks in $CMTNOISE_EXEC_PATH, in the folder of cmtnoise, in libexec/cmtnoise beside that, then along the PATH. -ENOENT when
 * it is nowhere, or the word could not be a program's. */
int program_find(char *path, size_t size, const char *word);

#endif
