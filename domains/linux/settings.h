/* The settings of a Linux guest's tick configuration: written at run time, and told of over the channel. */
#ifndef CMTNOISE_LINUX_SETTINGS_H
#define CMTNOISE_LINUX_SETTINGS_H

/* Of each line, the name of a file and a word, writes the word to the file, and sends what became of it, a line each
 * (results/FORMAT.md, "The channel of a Linux guest"). Changes the lines. */
void settings_apply(char *lines);

#endif
