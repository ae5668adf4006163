#include "tests/unit/test.h"
#include <stdlib.h>
#include "harness/trace/events.h"

static void add(struct events *e, int64_t at, char mark, enum event_class class, uint32_t key, const char *name)
{
	struct event event = {.at_counts = at, .mark = mark, .class = class, .key = key};
	if (name)
		event.name = (uint32_t)events_name(e, name);
	assert_int_equal(events_add(e, &event), 0);
}

static void expect(struct events *e, const char *rows)
{
	static struct collected c;
	collect_begin(&c);
	assert_int_equal(events_settle(e), 0);
	events_write(e, &c.text);
	assert_int_equal(text_finish(&c.text), 0);
	assert_string_equal(c.bytes, rows);
	events_free(e);
}

static void an_exit_takes_its_entrys_name(void **state)
{
	struct events e = {0};
	(void)state;
	add(&e, -3021, '+', EVENT_VECTOR, 2, "local_timer");
	add(&e, -1022, '-', EVENT_VECTOR, 2, NULL);
	add(&e, 40, '+', EVENT_IRQ, 11, "virtio0-input");
	add(&e, 50, '-', EVENT_IRQ, 11, NULL);
	add(&e, 9000, '=', EVENT_THREAD, 0, "kworker/0:1");
	expect(&e, "-3021\t+\tvector\tlocal_timer\n-1022\t-\tvector\tlocal_timer\n"
		   "40\t+\tirq\tvirtio0-input\n50\t-\tirq\tvirtio0-input\n9000\t=\tthread\tkworker/0:1\n");
}

static void rows_are_sorted_and_keep_their_order_at_one_stamp(void **state)
{
	struct events e = {0};
	(void)state;
	add(&e, 100, '+', EVENT_VECTOR, 0, "reschedule");
	add(&e, 100, '-', EVENT_VECTOR, 0, NULL);
	add(&e, 100, '=', EVENT_THREAD, 0, "measured");
	add(&e, 60, '+', EVENT_NMI, 7, "nmi"); /* told when it is over */
	add(&e, 90, '-', EVENT_NMI, 7, NULL);
	expect(&e, "60\t+\tnmi\tnmi\n90\t-\tnmi\tnmi\n100\t+\tvector\treschedule\n100\t-\tvector\treschedule\n"
		   "100\t=\tthread\tmeasured\n");
}

static void what_was_under_way_is_left_out(void **state)
{
	struct events e = {0};
	(void)state;
	add(&e, 1, '-', EVENT_VECTOR, 0, NULL);
	add(&e, 2, '+', EVENT_SOFTIRQ, 1, "TIMER");
	add(&e, 3, '-', EVENT_SOFTIRQ, 9, NULL);
	add(&e, 4, '-', EVENT_SOFTIRQ, 1, NULL);
	add(&e, 5, '+', EVENT_IRQ, 1, "nvme0q1");
	add(&e, 6, '-', EVENT_VECTOR, 1, NULL); /* the same key in another class */
	expect(&e, "2\t+\tsoftirq\tTIMER\n4\t-\tsoftirq\tTIMER\n");
}

/* Nested, one in itself, and softirqs that another thread's softirq preempts. */
static void entries_need_not_nest(void **state)
{
	struct events e = {0};
	(void)state;
	add(&e, 1, '+', EVENT_SOFTIRQ, 1, "TIMER");
	add(&e, 2, '+', EVENT_VECTOR, 0, "local_timer");
	add(&e, 3, '-', EVENT_VECTOR, 0, NULL);
	add(&e, 4, '+', EVENT_SOFTIRQ, 3, "NET_RX");
	add(&e, 5, '-', EVENT_SOFTIRQ, 1, NULL);
	add(&e, 6, '-', EVENT_SOFTIRQ, 3, NULL);
	expect(&e, "1\t+\tsoftirq\tTIMER\n2\t+\tvector\tlocal_timer\n3\t-\tvector\tlocal_timer\n"
		   "4\t+\tsoftirq\tNET_RX\n5\t-\tsoftirq\tTIMER\n6\t-\tsoftirq\tNET_RX\n");
}

static void names_stay_in_their_field(void **state)
{
	struct events e = {0};
	(void)state;
	add(&e, 0, '=', EVENT_THREAD, 0, "a\tb\nc\x7f");
	add(&e, 1, '=', EVENT_THREAD, 0, "caf\xc3\xa9 \xc3(");
	add(&e, 2, '=', EVENT_THREAD, 0, "\xc2\x85<b>"); /* U+0085, a line end to some */
	add(&e, 3, '=', EVENT_THREAD, 0, "");
	add(&e, 4, '=', EVENT_THREAD, 0, "0123456789012345678901234567890123456789012345\xc3\xa9");
	expect(&e, "0\t=\tthread\ta?b?c?\n1\t=\tthread\tcaf\xc3\xa9 ?(\n2\t=\tthread\t?<b>\n3\t=\tthread\t\n"
		   "4\t=\tthread\t0123456789012345678901234567890123456789012345\n");
}

static void many_events(void **state)
{
	enum { MANY = 100000 };
	struct events e = {0};
	(void)state;
	for (int i = MANY; i--;) {
		add(&e, 10 * i + 5, '-', EVENT_VECTOR, 3, NULL);
		add(&e, 10 * i, '+', EVENT_VECTOR, 3, i % 2 ? "local_timer" : "irq_work");
	}
	assert_int_equal(events_settle(&e), 0);
	assert_int_equal(e.count, 2 * MANY);
	assert_int_equal(e.name_count, 2);
	for (int i = 0; i < 2 * MANY; i++)
		assert_true(e.items[i].at_counts == i / 2 * 10 + i % 2 * 5 &&
			    e.items[i].name == e.items[i / 2 * 2].name);
	events_free(&e);
}

static void nothing_is_nothing(void **state)
{
	struct events e = {0};
	(void)state;
	expect(&e, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_exit_takes_its_entrys_name),
		cmocka_unit_test(rows_are_sorted_and_keep_their_order_at_one_stamp),
		cmocka_unit_test(what_was_under_way_is_left_out),
		cmocka_unit_test(entries_need_not_nest),
		cmocka_unit_test(names_stay_in_their_field),
		cmocka_unit_test(many_events),
		cmocka_unit_test(nothing_is_nothing),
	};
	return cmocka_run_group_tests_name("trace events", tests, NULL, NULL);
}
