#include "tests/unit/test.h"
#include <errno.h>
#include "harness/json.h"
#include "harness/record.h"

static void numbers_at_their_limits(void **state)
{
	struct collected c;
	(void)state;
	collect_begin(&c);
	text_u64(&c.text, 0);
	text_string(&c.text, " ");
	text_u64(&c.text, UINT64_MAX);
	text_string(&c.text, " ");
	text_i64(&c.text, INT64_MIN);
	assert_int_equal(text_finish(&c.text), 0);
	assert_string_equal(c.bytes, "0 18446744073709551615 -9223372036854775808");
}

static void a_value_stays_on_its_line(void **state)
{
	struct collected c;
	(void)state;
	collect_begin(&c);
	text_line_value(&c.text, "a\nb\tc\x7f\x1b[0m \xc3\xbc");
	text_finish(&c.text);
	assert_string_equal(c.bytes, "a?b?c??[0m \xc3\xbc");
}

static int full_disk(void *context, const char *bytes, size_t count)
{
	(void)bytes;
	(void)count;
	return --*(int *)context < 0 ? -ENOSPC : 0;
}

static void an_error_sticks(void **state)
{
	char buffer[4];
	int room = 1;
	struct text t;
	(void)state;
	text_init(&t, buffer, sizeof buffer, full_disk, &room);
	text_string(&t, "longer than what fits");
	assert_int_equal(text_finish(&t), -ENOSPC);
	assert_int_equal(room, -1); /* not tried again */
}

static void utc(void **state)
{
	static const struct {
		uint64_t seconds;
		const char *text;
	} cases[] = {
		{0, "1970-01-01T00:00:00.000000Z"},          {951782400, "2000-02-29T00:00:00.000000Z"},
		{1709251199, "2024-02-29T23:59:59.000000Z"}, {1709251200, "2024-03-01T00:00:00.000000Z"},
		{4107542400, "2100-03-01T00:00:00.000000Z"}, /* 2100 is no leap year */
		{1795239012, "2026-11-21T05:30:12.000000Z"},
	};
	struct collected c;
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		collect_begin(&c);
		text_utc(&c.text, cases[i].seconds * 1000000000);
		text_finish(&c.text);
		assert_string_equal(c.bytes, cases[i].text);
	}
	collect_begin(&c);
	text_utc(&c.text, 1000123456789);
	text_finish(&c.text);
	assert_string_equal(c.bytes, "1970-01-01T00:16:40.123456Z");
}

static void json_structure(void **state)
{
	struct collected c;
	struct json j;
	(void)state;
	collect_begin(&c);
	json_init(&j, &c.text);
	json_object(&j, NULL);
	json_string(&j, "a", NULL);
	json_list(&j, "b");
	json_u64(&j, NULL, 1);
	json_bool(&j, NULL, true);
	json_end_list(&j);
	json_object(&j, "empty");
	json_end_object(&j);
	json_i64(&j, "c", -5);
	json_end_object(&j);
	text_finish(&c.text);
	assert_string_equal(
		c.bytes, "{\n  \"a\": null,\n  \"b\": [\n    1,\n    true\n  ],\n  \"empty\": {},\n  \"c\": -5\n}\n");
}

static void json_escapes(void **state)
{
	static const struct {
		const char *value, *written;
	} cases[] = {
		{"say \"hi\" \\ \n\t\x7f", "\"say \\\"hi\\\" \\\\ \\n\\u0009\\u007f\""},
		{"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "\"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\""},
		{"\xff", "\"\xef\xbf\xbd\""},                                 /* never in UTF-8 */
		{"\xc0\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\""},                 /* overlong */
		{"\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""}, /* a surrogate */
		{"cut \xe2\x82", "\"cut \xef\xbf\xbd\xef\xbf\xbd\""},
	};
	struct collected c;
	struct json j;
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		collect_begin(&c);
		json_init(&j, &c.text);
		json_string(&j, NULL, cases[i].value);
		text_finish(&c.text);
		assert_string_equal(c.bytes, cases[i].written);
	}
}

static void warnings_are_kept_once(void **state)
{
	struct warnings w = {0};
	char text[] = "warning 0";
	(void)state;
	warnings_add(&w, "again");
	warnings_add(&w, "again");
	assert_int_equal(w.count, 1);
	for (; text[8] < '9'; text[8]++)
		warnings_add(&w, text);
	assert_int_equal(w.count, WARNINGS_MOST);
	assert_string_equal(w.text[0], "again");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_at_their_limits), cmocka_unit_test(a_value_stays_on_its_line),
		cmocka_unit_test(an_error_sticks),         cmocka_unit_test(utc),
		cmocka_unit_test(json_structure),          cmocka_unit_test(json_escapes),
		cmocka_unit_test(warnings_are_kept_once),
	};
	return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
