#define _GNU_SOURCE
#include "domains/linux/settings.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "domains/linux/channel.h"

enum { READ_MOST = 400 }; /* of a file; leaves room for the rest of its line */

struct setting {
	const char *file;
	int error; /* errno of what was refused, 0 for what was taken */
};

static int write_word(const char *file, const char *word)
{
	int opened = open(file, O_WRONLY | O_CLOEXEC);
	if (opened < 0)
		return errno;
	int error = write(opened, word, strlen(word)) < 0 ? errno : 0;
	close(opened);
	return error;
}

/* How a file reads, on one line without what ends it; errno where it cannot be read. Some files wait for something to come. */
static int read_line(const char *file, char text[READ_MOST + 1])
{
	int opened = open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (opened < 0)
		return errno;
	ssize_t count = read(opened, text, READ_MOST);
	int error = count < 0 ? errno : 0;
	close(opened);
	if (error)
		return error;
	for (ssize_t i = 0; i < count; i++)
		if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
			text[i] = ' ';
	while (count && text[count - 1] == ' ')
		count--;
	text[count] = 0;
	return 0;
}

static struct setting written(char *line)
{
	char *word = strchr(line, ' ');
	if (!word)
		return (struct setting){.file = line, .error = EINVAL};
	*word++ = 0;
	return (struct setting){.file = line, .error = write_word(line, word)};
}

static void tell(size_t number, const struct setting *s)
{
	char text[READ_MOST + 1];
	if (s->error) {
		channel_line("@setting: %zu refused %s", number, strerror(s->error));
		return;
	}
	int error = read_line(s->file, text);
	channel_line("@setting: %zu %s %s", number, error ? "unread" : "reads", error ? strerror(error) : text);
}

void settings_apply(char *lines)
{
	size_t room = 1, count = 0;
	for (const char *c = lines; *c; c++)
		room += *c == '\n';
	struct setting *settings = calloc(room, sizeof *settings);
	if (!settings)
		return; /* the launcher notices what is not told of */
	for (char *line = strtok(lines, "\n"); line; line = strtok(NULL, "\n"))
		settings[count++] = written(line);
	/* All are written before any is read: one may undo another, as vm.dirty_bytes does vm.dirty_ratio. */
	for (size_t i = 0; i < count; i++)
		tell(i + 1, &settings[i]);
	free(settings);
}
