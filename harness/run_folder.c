#include "harness/run_folder.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include "harness/file.h"
#include "harness/run_json.h"

void run_folder_record_name(char *name, size_t size, unsigned strand, const char *kernel, uint64_t round)
{
	if (round > 1)
		snprintf(name, size, "records/strand%u-%s.%llu.tsv", strand, kernel, (unsigned long long)round);
	else
		snprintf(name, size, "records/strand%u-%s.tsv", strand, kernel);
}

/* results/20261121T053012Z-host-label; a host name is cut to what a file name may hold everywhere. */
static void default_path(struct run_folder *f)
{
	char utc[32], host[64];
	time_t seconds = (time_t)(f->started_ns / 1000000000);
	strftime(utc, sizeof utc, "%Y%m%dT%H%M%SZ", gmtime(&seconds));
	snprintf(host, sizeof host, "%.63s", f->session->host);
	for (char *c = host; *c; c++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-", *c))
			*c = '_';
	snprintf(f->path, sizeof f->path, "results/%s-%s-%s", utc, host, f->session->label);
}

static int make_folder(const char *path, struct why *why)
{
	if (!mkdir(path, 0777))
		return 0;
	if (errno == EEXIST)
		return why_set(why, -EEXIST, "%s exists already: name another folder with --output, or remove it first",
			       path);
	return why_set(why, -errno, "cannot make the folder %s: %s", path, strerror(errno));
}

/* Two sweeps within one second get two folders. */
static int make_default_folder(struct run_folder *f, struct why *why)
{
	size_t length;
	if (mkdir("results", 0777) && errno != EEXIST)
		return why_set(why, -errno, "cannot make the folder results: %s; name another place with --output",
			       strerror(errno));
	default_path(f);
	length = strlen(f->path);
	int error = make_folder(f->path, why);
	for (unsigned i = 2; error == -EEXIST && i < 100; i++) {
		snprintf(f->path + length, sizeof f->path - length, "-%u", i);
		error = make_folder(f->path, why);
	}
	return error;
}

static int write_json(struct run_folder *f, struct why *why)
{
	char path[PATH_MAX];
	struct file file;
	struct json json;

	snprintf(path, sizeof path, "%s/run.json", f->path);
	int error = file_begin(&file, path, true, why);
	if (error)
		return error;
	json_init(&json, &file.text);
	run_json_write(&json, f);
	return file_end(&file, why);
}

int run_folder_begin(struct run_folder *f, const struct session *s, const struct causes *causes, struct why *why)
{
	char records[PATH_MAX];
	*f = (struct run_folder){.session = s, .causes = causes, .started_ns = os_wall_time_ns(), .status = "running"};
	tick_read(&f->tick);
	f->warnings = s->warnings;
	if (s->settings->output && snprintf(f->path, sizeof f->path, "%s", s->settings->output) >= (int)sizeof f->path)
		return why_set(why, -EINVAL, "--output: the name is too long");
	int error = s->settings->output ? make_folder(f->path, why) : make_default_folder(f, why);
	snprintf(records, sizeof records, "%s/records", f->path);
	if (!error)
		error = make_folder(records, why);
	return error ? error : write_json(f, why);
}

void run_folder_events_path(const struct run_folder *f, char *path, size_t size, const struct record *r)
{
	char name[96];
	run_folder_record_name(name, sizeof name, r->strand, r->kernel->name, r->round);
	name[strlen(name) - strlen(".tsv")] = 0;
	snprintf(path, size, "%s/%s.events.tsv", f->path, name);
}

int run_folder_record(const struct run_folder *f, const struct record *r, struct why *why)
{
	char name[96], path[PATH_MAX];
	struct file file;

	run_folder_record_name(name, sizeof name, r->strand, r->kernel->name, r->round);
	snprintf(path, sizeof path, "%s/%s", f->path, name);
	int error = file_begin(&file, path, false, why);
	if (error)
		return error;
	record_write(&file.text, r);
	return file_end(&file, why);
}

int run_folder_end(struct run_folder *f, const char *status, const char *detail, struct why *why)
{
	f->finished_ns = os_wall_time_ns();
	f->status = status;
	snprintf(f->status_detail, sizeof f->status_detail, "%s", detail);
	return write_json(f, why);
}
