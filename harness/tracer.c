#include "harness/tracer.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "harness/os/os.h"
#include "harness/program.h"

extern char **environ;

/* Longest silence of a program that works; its answers take milliseconds. */
enum { PATIENCE_MS = 10000 };

static int make_pipe(int ends[2])
{
	if (pipe(ends))
		return -errno;
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	return 0;
}

/* In a process group of its own, out of reach of the terminal's signals: it has to outlive this process by a moment. */
static int spawn(pid_t *pid, const char *path, char *const argv[], int input, int output)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none;
	sigemptyset(&none);
	if (posix_spawn_file_actions_init(&actions))
		return -ENOMEM;
	if (posix_spawnattr_init(&attributes)) {
		posix_spawn_file_actions_destroy(&actions);
		return -ENOMEM;
	}
	posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	posix_spawnattr_setpgroup(&attributes, 0);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
	int error = posix_spawn(pid, path, &actions, &attributes, argv, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return -error;
}

static int start_program(struct tracer *t, char *option, struct why *why)
{
	char path[PATH_MAX], *const argv[] = {"cmtnoise-trace", option, NULL};
	int in[2], out[2];

	*t = (struct tracer){.pid = 0};
	if (program_find(path, sizeof path, "trace"))
		return why_set(why, -ENOENT, "%s", os_words.untraced);
	int error = make_pipe(in);
	if (error)
		return why_set(why, error, "cannot make a pipe to cmtnoise-trace: %s", strerror(-error));
	error = make_pipe(out);
	if (!error) {
		error = spawn(&t->pid, path, argv, in[0], out[1]);
		close(out[1]);
		if (error)
			close(out[0]);
	}
	close(in[0]);
	if (error) {
		close(in[1]);
		t->pid = 0;
		return why_set(why, error, "cannot start %s: %s", path, strerror(-error));
	}
	t->to = in[1];
	t->from = out[0];
	return 0;
}

/* Bytes read, 0 at the end, or -ETIMEDOUT. */
static ssize_t read_some(int descriptor, char *bytes, size_t size)
{
	struct pollfd wait = {.fd = descriptor, .events = POLLIN};
	ssize_t got;
	int ready;
	while ((ready = poll(&wait, 1, PATIENCE_MS)) < 0 && errno == EINTR)
		;
	if (ready <= 0)
		return -ETIMEDOUT;
	while ((got = read(descriptor, bytes, size)) < 0 && errno == EINTR)
		;
	return got > 0 ? got : 0;
}

static int fill(struct tracer *t, struct why *why)
{
	ssize_t got = read_some(t->from, t->input, sizeof t->input);
	if (got == -ETIMEDOUT)
		return why_set(why, -ETIMEDOUT, "cmtnoise-trace does not answer");
	if (!got)
		return why_set(why, -EPIPE, "cmtnoise-trace has ended (was it killed?)");
	t->input_taken = 0;
	t->input_used = (size_t)got;
	return 0;
}

static int read_line(struct tracer *t, char *line, size_t size, struct why *why)
{
	for (size_t length = 0; length < size; length++) {
		int error = t->input_taken == t->input_used ? fill(t, why) : 0;
		if (error)
			return error;
		line[length] = t->input[t->input_taken++];
		if (line[length] == '\n') {
			line[length] = 0;
			return 0;
		}
	}
	return why_set(why, -EPROTO, "cmtnoise-trace gave an answer that is too long");
}

/* The answer's first line, which begins with the word; the rest of the line is what is left in it. */
static int expect(struct tracer *t, const char *word, char *line, size_t size, struct why *why)
{
	static const char failed[] = "failed ";
	size_t length = strlen(word);
	int error = read_line(t, line, size, why);
	if (error)
		return error;
	if (!strncmp(line, failed, sizeof failed - 1))
		return why_set(why, -EIO, "%s", line + sizeof failed - 1);
	if (strncmp(line, word, length))
		return why_set(why, -EPROTO,
			       "cmtnoise-trace answered '%.40s' where '%s' was due: is it of another version?", line,
			       word);
	memmove(line, line + length, strlen(line + length) + 1);
	return 0;
}

static int ask(struct tracer *t, const char *request, const char *word, char *answer, size_t size, struct why *why)
{
	for (size_t length = strlen(request), sent = 0; sent < length;) {
		ssize_t written = write(t->to, request + sent, length - sent);
		if (written < 0 && errno != EINTR)
			return why_set(why, -errno, "cmtnoise-trace has ended (was it killed?)");
		sent += written > 0 ? (size_t)written : 0;
	}
	return expect(t, word, answer, size, why);
}

int tracer_begin(struct tracer *t, struct why *why)
{
	char answer[600];
	int error = start_program(t, NULL, why);
	if (error)
		return error;
	error = expect(t, "ready ", answer, sizeof answer, why);
	char *tab = error ? NULL : strchr(answer, '\t');
	if (!error && !tab)
		error = why_set(why, -EPROTO, "cmtnoise-trace does not say which events it traces");
	if (error) {
		tracer_end(t);
		return error;
	}
	snprintf(t->clock, sizeof t->clock, "%.*s", (int)(tab - answer), answer);
	snprintf(t->groups, sizeof t->groups, "%s", tab + 1);
	return 0;
}

int tracer_start(struct tracer *t, const char *strands, uint64_t expected_ns, struct why *why)
{
	char answer[600];
	size_t size = strlen(strands) + 48;
	char *request = malloc(size);
	if (!request)
		return why_set(why, -ENOMEM, "no memory to start tracing");
	snprintf(request, size, "start %llu %s\n", (unsigned long long)expected_ns, strands);
	int error = ask(t, request, "started", answer, sizeof answer, why);
	free(request);
	return error;
}

int tracer_stop(struct tracer *t, struct why *why)
{
	char answer[600];
	return ask(t, "stop\n", "stopped", answer, sizeof answer, why);
}

int tracer_ask_events(struct tracer *t, const struct tracer_request *request, uint64_t *lost, uint64_t *error_counts,
		      struct why *why)
{
	char text[160], answer[600], *end;
	snprintf(text, sizeof text, "events %u %llu %llu %llu\n", request->strand, (unsigned long long)request->thread,
		 (unsigned long long)request->first_stamp_counts, (unsigned long long)request->timer_hz);
	int error = ask(t, text, "events ", answer, sizeof answer, why);
	if (error)
		return error;
	*lost = strtoull(answer, &end, 10);
	*error_counts = strtoull(end, NULL, 10);
	return 0;
}

int tracer_copy_events(struct tracer *t, struct text *rows, struct why *why)
{
	char row[256];
	int error;
	while (!(error = read_line(t, row, sizeof row, why)) && strcmp(row, "end")) {
		text_string(rows, row);
		text_string(rows, "\n");
	}
	return error;
}

/* What a killed one left behind. */
static void clean_up(void)
{
	struct tracer cleaner;
	struct why why;
	char option[] = "--clean";
	if (start_program(&cleaner, option, &why))
		return;
	close(cleaner.to);
	close(cleaner.from);
	while (waitpid(cleaner.pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/* Its output ends when it does. True if it was killed, by us or by others. */
static bool wait_for_end(struct tracer *t)
{
	char ignored[512];
	int status = 0;
	ssize_t got;
	close(t->to);
	while ((got = read_some(t->from, ignored, sizeof ignored)) > 0)
		;
	if (got < 0)
		kill(t->pid, SIGKILL);
	close(t->from);
	while (waitpid(t->pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFSIGNALED(status);
}

void tracer_end(struct tracer *t)
{
	if (!t->pid)
		return;
	if (wait_for_end(t))
		clean_up();
	t->pid = 0;
}

int tracer_possible(struct why *why)
{
	struct tracer t;
	char option[] = "--check", answer[600];
	int error = start_program(&t, option, why);
	if (error)
		return error;
	error = expect(&t, "possible", answer, sizeof answer, why);
	tracer_end(&t);
	return error;
}
