#include "tests/unit/machine.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "bind/placement.h"
#include "tests/unit/fake_os.h"

static enum placement between(const struct topology *t, unsigned a, unsigned b)
{
	return placement_of(topology_strand(t, a), topology_strand(t, b));
}

static void a_t1_is_planned_anywhere(void **state)
{
	struct topology t;
	(void)state;
	load_machine(&t, T1);
	assert_int_equal(t.count, 32);
	assert_int_equal(t.core_count, 8);
	assert_int_equal(t.package_count, 1);
	assert_false(t.is_this_host);
	assert_string_equal(t.source, "described as " T1);
	assert_non_null(strstr(t.xml, "<topology"));
	assert_int_equal(topology_strand(&t, 5)->core, 1);
	assert_null(topology_strand(&t, 32));
	assert_int_equal(between(&t, 5, 5), PLACEMENT_SAME_STRAND);
	assert_int_equal(between(&t, 5, 4), PLACEMENT_SAME_CORE);
	assert_int_equal(between(&t, 5, 7), PLACEMENT_SAME_CORE);
	assert_int_equal(between(&t, 5, 3), PLACEMENT_SAME_PACKAGE);
	assert_int_equal(between(&t, 5, 8), PLACEMENT_SAME_PACKAGE);
	topology_free(&t);
}

static void placement_classes(void **state)
{
	const struct strand nowhere[] = {{8, STRAND_NOWHERE, STRAND_NOWHERE, STRAND_OFFLINE},
					 {9, STRAND_NOWHERE, STRAND_NOWHERE, STRAND_OFFLINE}};
	struct topology t;
	(void)state;
	load_machine(&t, "pack:2 core:2 pu:2");
	assert_int_equal(between(&t, 0, 4), PLACEMENT_OTHER_PACKAGE);
	assert_int_equal(between(&t, 7, 5), PLACEMENT_SAME_PACKAGE);
	assert_int_equal(placement_of(&nowhere[0], &nowhere[1]), PLACEMENT_OTHER_PACKAGE);
	assert_string_equal(placement_name(PLACEMENT_SAME_STRAND), "same strand");
	assert_string_equal(placement_name(PLACEMENT_SAME_CORE), "same core");
	assert_string_equal(placement_name(PLACEMENT_SAME_PACKAGE), "same package");
	assert_string_equal(placement_name(PLACEMENT_OTHER_PACKAGE), "other package");
	topology_free(&t);
}

static void ids_with_holes_in_any_order(void **state)
{
	struct topology t;
	(void)state;
	load_machine(&t, "core:2 pu:3(indexes=9,4,70,6,12,5)");
	static const unsigned ids[] = {4, 5, 6, 9, 12, 70}, cores[] = {0, 1, 1, 0, 1, 0};
	assert_int_equal(t.count, 6);
	for (size_t i = 0; i < t.count; i++) {
		assert_int_equal(t.strands[i].id, ids[i]);
		assert_int_equal(t.strands[i].core, cores[i]);
		assert_ptr_equal(topology_strand(&t, ids[i]), &t.strands[i]);
	}
	assert_null(topology_strand(&t, 0));
	assert_null(topology_strand(&t, 7));
	assert_null(topology_strand(&t, 71));
	topology_free(&t);
}

static void caches(void **state)
{
	struct topology t;
	(void)state;
	load_machine(&t, "l3:2(size=4096) l2:2(size=512) l1:1(size=64) l1i:1(size=32) core:1 pu:2");
	assert_int_equal(t.l1i_bytes, 32);
	assert_int_equal(t.l1d_bytes, 64);
	assert_int_equal(t.l2_bytes, 512);
	assert_int_equal(t.l3_bytes, 4096);
	topology_free(&t);
}

/* The name of a new file with this text, ' written as "; the caller removes it. */
static const char *file_with(const char *text)
{
	static char name[64];
	strcpy(name, "/tmp/cmtnoise-test-XXXXXX");
	int descriptor = mkstemp(name);
	assert_true(descriptor >= 0);
	FILE *file = fdopen(descriptor, "w");
	assert_non_null(file);
	for (; *text; text++)
		fputc(*text == '\'' ? '"' : *text, file);
	assert_int_equal(fclose(file), 0);
	return name;
}

#define SETS(mask) " cpuset='" mask "' complete_cpuset='" mask "' nodeset='0x1' complete_nodeset='0x1'"
#define OBJECT(type, index, mask) "<object type='" type "' os_index='" index "'" SETS(mask)
#define L2(size, mask)                                                                                                 \
	"<object type='L2Cache' cache_size='" size "' depth='2' cache_linesize='64' cache_associativity='8' "          \
	"cache_type='0'" SETS(mask) ">\n"

/* A core of two strands, a core of one, a strand that hwloc knows no core of; strand 4 is outside the cpuset. */
/* clang-format off */
static const char hybrid[] =
	"<?xml version='1.0' encoding='UTF-8'?>\n<!DOCTYPE topology SYSTEM 'hwloc2.dtd'>\n<topology version='2.0'>\n"
	OBJECT("Machine", "0", "0x33") " allowed_cpuset='0x23' allowed_nodeset='0x1'>\n"
		OBJECT("NUMANode", "0", "0x33") " local_memory='1024'/>\n"
		OBJECT("Package", "0", "0x33") ">\n"
			L2("2097152", "0x3")
				OBJECT("Core", "0", "0x3") ">\n"
					OBJECT("PU", "0", "0x1") "/>\n"
					OBJECT("PU", "1", "0x2") "/>\n"
				"</object>\n"
			"</object>\n"
			L2("524288", "0x10")
				OBJECT("Core", "1", "0x10") ">\n"
					OBJECT("PU", "4", "0x10") "/>\n"
				"</object>\n"
			"</object>\n"
			OBJECT("PU", "5", "0x20") "/>\n"
		"</object>\n"
	"</object>\n"
	"</topology>\n";
/* clang-format on */

static void a_hybrid_machine_from_a_file(void **state)
{
	struct topology t;
	(void)state;
	const char *file = file_with(hybrid);
	load_machine(&t, file);
	remove(file);
	assert_false(t.is_this_host);
	assert_int_equal(strncmp(t.source, "file /tmp/cmtnoise-test-", 24), 0);
	assert_int_equal(t.count, 4);
	assert_int_equal(t.core_count, 3);
	assert_int_equal(t.package_count, 1);
	assert_int_equal(between(&t, 0, 1), PLACEMENT_SAME_CORE);
	assert_int_equal(topology_strand(&t, 4)->core, 1);
	assert_int_equal(topology_strand(&t, 4)->state, STRAND_EXCLUDED);
	assert_int_equal(topology_strand(&t, 5)->core, 2);
	assert_int_equal(topology_strand(&t, 5)->state, STRAND_USABLE);
	assert_int_equal(t.l2_bytes, 524288); /* the smallest: what fits there fits anywhere */
	assert_int_equal(t.l1d_bytes, 0);
	topology_free(&t);
}

static void not_described(const char *description, const char *says)
{
	struct topology t;
	struct why why = {""};
	assert_int_equal(topology_load(&t, description, &why), -EINVAL);
	assert_non_null(strstr(why.text, description));
	assert_non_null(strstr(why.text, says));
	assert_null(t.strands);
	assert_null(t.xml);
}

/* hwloc 2.9 does not free the object that it was reading when a file turns out to be cut. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:hwloc_alloc_setup_object";
}

/* hwloc's own complaints would come between the lines of the program. */
static void files_that_are_no_topology(void **state)
{
	static const char *const texts[] = {"",
					    "not XML",
					    "<topology",
					    "<?xml version='1.0'?><svg></svg>",
					    "<?xml version='1.0'?><topology version='2.0'></topology>",
					    NULL};
	struct topology t;
	char half[sizeof hybrid / 2] = "";
	long said;
	(void)state;
	load_machine(&t, "pu:1"); /* skips without hwloc */
	topology_free(&t);
	memcpy(half, hybrid, sizeof half - 1);
	FILE *talk = tmpfile();
	assert_non_null(talk);
	int stderr_copy = dup(2);
	dup2(fileno(talk), 2);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		const char *file = file_with(texts[i] ? texts[i] : half);
		not_described(file, "holds no hwloc topology in XML, or a part of one; make one with: lstopo");
		remove(file);
	}
	not_described("/tmp", "holds no hwloc topology");
	fflush(stderr);
	dup2(stderr_copy, 2);
	close(stderr_copy);
	said = lseek(fileno(talk), 0, SEEK_END);
	fclose(talk);
	assert_int_equal(said, 0);
}

static void bad_descriptions_show_a_good_one(void **state)
{
	static const char *const bad[] = {"pack:one", "core:0", "absent.xml", "cores:2 pu:2"};
	struct topology t;
	(void)state;
	load_machine(&t, "pu:1");
	topology_free(&t);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		not_described(bad[i], "' is neither a file nor a description such as \"pack:1 core:8 pu:4\"");
}

static enum strand_state odd_is_masked(unsigned id)
{
	return id % 2 ? STRAND_MASKED : STRAND_ISOLATED;
}

static void this_host_asks_the_os(void **state)
{
	struct topology t;
	(void)state;
	fake_state = odd_is_masked;
	load_machine(&t, NULL);
	assert_true(t.is_this_host);
	assert_true(t.count > 0);
	for (size_t i = 0; i < t.count; i++)
		assert_int_equal(t.strands[i].state, odd_is_masked(t.strands[i].id));
	topology_free(&t);
}

static void this_host_when_the_os_does_not_say(void **state)
{
	struct topology t;
	struct why why;
	(void)state;
	fake_error = -EACCES;
	assert_int_equal(topology_load(&t, NULL, &why), -EACCES);
	assert_non_null(strstr(why.text, "the OS does not say which strands"));
	assert_non_null(strstr(why.text, "Permission denied"));
	assert_null(t.strands);
}

/* A variable left over from other work with hwloc must not pass for this host. */
static void another_machine_in_the_environment(void **state)
{
	struct topology t;
	(void)state;
	load_machine(&t, "pu:1");
	topology_free(&t);
	fake_state = odd_is_masked;
	assert_int_equal(setenv("HWLOC_SYNTHETIC", "core:3 pu:2", 1), 0);
	load_machine(&t, NULL);
	assert_int_equal(t.count, 6);
	assert_false(t.is_this_host);
	assert_non_null(strstr(t.source, "not this host: HWLOC_SYNTHETIC is set"));
	assert_int_equal(t.strands[1].state, STRAND_USABLE); /* the OS here knows nothing of it */
	topology_free(&t);
	load_machine(&t, T1); /* what was asked for wins */
	assert_int_equal(t.count, 32);
	topology_free(&t);
}

static int quiet_os(void **state)
{
	static struct strand only;
	(void)state;
	fake_state = NULL;
	fake_error = 0;
	fake_machine = (struct topology){
		.count = 1, .strands = &only, .core_count = 1, .package_count = 1, .is_this_host = true};
	return unsetenv("HWLOC_SYNTHETIC") || unsetenv("HWLOC_XMLFILE");
}

static void states_have_names_and_reasons(void **state)
{
	static const struct {
		enum strand_state state;
		const char *name, *reason;
		bool can_run;
	} cases[] = {
		{STRAND_USABLE, "usable", "", true},
		{STRAND_ISOLATED, "isolated", "the scheduler", true},
		{STRAND_MASKED, "masked", "taskset", true},
		{STRAND_EXCLUDED, "excluded", "cpuset.cpus", false},
		{STRAND_OFFLINE, "offline", "echo 1 >", false},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_string_equal(strand_state_name(cases[i].state), cases[i].name);
		assert_non_null(strstr(strand_state_reason(cases[i].state), cases[i].reason));
		assert_int_equal(strand_can_run(cases[i].state), cases[i].can_run);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_t1_is_planned_anywhere),
		cmocka_unit_test(placement_classes),
		cmocka_unit_test(ids_with_holes_in_any_order),
		cmocka_unit_test(caches),
		cmocka_unit_test(a_hybrid_machine_from_a_file),
		cmocka_unit_test(files_that_are_no_topology),
		cmocka_unit_test(bad_descriptions_show_a_good_one),
		cmocka_unit_test_setup(this_host_asks_the_os, quiet_os),
		cmocka_unit_test_setup(this_host_when_the_os_does_not_say, quiet_os),
		cmocka_unit_test_setup_teardown(another_machine_in_the_environment, quiet_os, quiet_os),
		cmocka_unit_test(states_have_names_and_reasons),
	};
	return cmocka_run_group_tests_name("topology", tests, NULL, NULL);
}
