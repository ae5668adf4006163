/* The talk with cmtnoise-trace, held with shell scripts that stand in for it. */
#define _GNU_SOURCE
#include "tests/unit/linux_host.h"
#include <errno.h>
#include <signal.h>
#include <unistd.h>
#include "harness/tracer.h"

static void stand_in(const char *script)
{
	char text[1024], path[96];
	snprintf(text, sizeof text, "#!/bin/sh\n%s\n", script);
	put("/cmtnoise-trace", text);
	snprintf(path, sizeof path, "%s/cmtnoise-trace", host_root);
	chmod(path, 0755);
	setenv("CMTNOISE_EXEC_PATH", host_root, 1);
}

static void expect_refusal(const char *script, const char *sentence)
{
	struct tracer t;
	struct why why = {""};
	stand_in(script);
	assert_true(tracer_begin(&t, &why) < 0);
	if (!strstr(why.text, sentence))
		fail_msg("'%s' instead of '%s'", why.text, sentence);
	assert_int_equal(t.pid, 0);
}

static void a_record_is_traced(void **state)
{
	static struct collected rows;
	const struct tracer_request request = {3, 4321, 1000, 2445400000};
	struct tracer t;
	struct why why = {""};
	uint64_t lost, error_counts;
	(void)state;
	stand_in("echo 'ready x86-tsc\tirq_vectors softirq'\n"
		 "read line; [ \"$line\" = 'start 150000000 0,3' ] && echo started\n"
		 "read line; [ \"$line\" = stop ] && echo stopped\n"
		 "read line; [ \"$line\" = 'events 3 4321 1000 2445400000' ] && echo events 7 61\n"
		 "printf -- '-5\\t+\\tvector\\tlocal_timer\\n5\\t-\\tvector\\tlocal_timer\\nend\\n'\n"
		 "read line || echo > \"${0%/*}/ended\"");
	assert_int_equal(tracer_begin(&t, &why), 0);
	assert_string_equal(t.clock, "x86-tsc");
	assert_string_equal(t.groups, "irq_vectors softirq");
	assert_int_equal(tracer_start(&t, "0,3", 150000000, &why), 0);
	assert_int_equal(tracer_stop(&t, &why), 0);
	assert_int_equal(tracer_ask_events(&t, &request, &lost, &error_counts, &why), 0);
	assert_int_equal(lost, 7);
	assert_int_equal(error_counts, 61);
	collect_begin(&rows);
	assert_int_equal(tracer_copy_events(&t, &rows.text, &why), 0);
	text_finish(&rows.text);
	assert_string_equal(rows.bytes, "-5\t+\tvector\tlocal_timer\n5\t-\tvector\tlocal_timer\n");
	tracer_end(&t);
	assert_int_equal(access(linux_path("/ended"), F_OK), 0); /* it was waited for */
}

static void refusals_are_handed_on(void **state)
{
	(void)state;
	expect_refusal("echo 'failed this user may not trace: run as root'", "this user may not trace: run as root");
	expect_refusal("exit 1", "cmtnoise-trace has ended");
	expect_refusal("echo hello", "answered 'hello' where 'ready ' was due");
	expect_refusal("echo ready x86-tsc", "does not say which events");
	expect_refusal("i=0; while [ $i -lt 100 ]; do printf 'ready 90'; i=$((i + 1)); done; echo", "too long");
	unlink(linux_path("/cmtnoise-trace"));
	setenv("PATH", "/nowhere", 1);
	struct tracer t;
	struct why why;
	assert_int_equal(tracer_begin(&t, &why), -ENOENT);
}

/* --clean is asked for when it was killed, and not else. */
static void what_a_killed_one_left_is_removed(void **state)
{
	struct tracer t;
	struct why why;
	(void)state;
	stand_in("[ \"$1\" ] && { echo \"$1\" > \"${0%/*}/cleaned\"; exit; }\n"
		 "echo 'ready mono\tirq'\nread line\necho started\nread line");
	assert_int_equal(tracer_begin(&t, &why), 0);
	tracer_end(&t);
	assert_int_not_equal(access(linux_path("/cleaned"), F_OK), 0);
	assert_int_equal(tracer_begin(&t, &why), 0);
	assert_int_equal(tracer_start(&t, "0", 1, &why), 0);
	kill(t.pid, SIGKILL);
	assert_true(tracer_stop(&t, &why) < 0);
	assert_non_null(strstr(why.text, "cmtnoise-trace has ended"));
	tracer_end(&t);
	assert_int_equal(access(linux_path("/cleaned"), F_OK), 0);
	tracer_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_A_HOST(a_record_is_traced),
		ON_A_HOST(what_a_killed_one_left_is_removed),
		ON_A_HOST(refusals_are_handed_on),
	};
	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests_name("tracer", tests, NULL, NULL);
}
