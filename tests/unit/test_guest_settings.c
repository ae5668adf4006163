/* What a Linux guest's first program tells of its settings; the files are this machine's, the channel is the test's. */
#include "tests/unit/test.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "domains/linux/channel.h"
#include "domains/linux/settings.h"

static char sent[4096];

void channel_line(const char *format, ...)
{
	size_t length = strlen(sent);
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(sent + length, sizeof sent - length, format, arguments);
	va_end(arguments);
	assert_true(strlen(sent) - length < 511); /* channel_line cuts there */
	strcat(sent, "\n");
}

/* A file that holds this, in a folder of the test's; "%s" of what is applied stands for its name. */
static void applied(const char *holds, const char *lines, const char *wanted)
{
	char name[] = "/tmp/cmtnoise-settings-XXXXXX", text[1024], expected[1024];
	int file = mkstemp(name);
	assert_true(file >= 0 && write(file, holds, strlen(holds)) == (ssize_t)strlen(holds));
	close(file);
	snprintf(text, sizeof text, lines, name, name, name);
	snprintf(expected, sizeof expected, wanted, name, name, name);
	sent[0] = 0;
	settings_apply(text);
	unlink(name);
	assert_string_equal(sent, expected);
}

static void what_a_file_reads_as_is_told(void **state)
{
	(void)state;
	applied("", "", "");
	applied("", "%s 120", "@setting: 1 reads 120\n");
	applied("...\tb\n\n", "%s [a]", "@setting: 1 reads [a] b\n");
}

static void a_file_is_read_once_all_are_written(void **state)
{
	(void)state;
	applied("", "%s 1\n/dev/null 5\n%s 2\n", "@setting: 1 reads 2\n@setting: 2 reads \n@setting: 3 reads 2\n");
}

static void what_is_refused_says_why(void **state)
{
	(void)state;
	applied("", "%s/none 1\n/dev/full 2\n%s",
		"@setting: 1 refused Not a directory\n@setting: 2 refused No space left on device\n"
		"@setting: 3 refused Invalid argument\n");
	applied("", "/proc/none 1", "@setting: 1 refused No such file or directory\n");
}

/* clear_refs of proc(5) takes a word and reads as nothing, whoever asks. */
static void what_cannot_be_read_is_told(void **state)
{
	(void)state;
	sent[0] = 0;
	settings_apply((char[]){"/proc/self/clear_refs 1"});
	assert_memory_equal(sent, "@setting: 1 unread ", strlen("@setting: 1 unread "));
}

static void what_reads_long_is_cut_to_a_line(void **state)
{
	char holds[1000];
	(void)state;
	memset(holds, 'x', sizeof holds - 1);
	holds[sizeof holds - 1] = 0;
	char wanted[420] = "@setting: 1 reads 7";
	memset(wanted + strlen(wanted), 'x', 399);
	strcat(wanted, "\n");
	applied(holds, "%s 7", wanted);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_file_reads_as_is_told),
		cmocka_unit_test(a_file_is_read_once_all_are_written),
		cmocka_unit_test(what_is_refused_says_why),
		cmocka_unit_test(what_cannot_be_read_is_told),
		cmocka_unit_test(what_reads_long_is_cut_to_a_line),
	};
	return cmocka_run_group_tests_name("guest_settings", tests, NULL, NULL);
}
