/* The host as run.json describes it. */
#define _GNU_SOURCE
#include "tests/unit/linux_host.h"
#include <sys/utsname.h>
#include "asm/isa.h"
#include "harness/json.h"
#include "harness/os/os.h"

static const char *cpu_name, *hypervisor;

void isa_cpu_name(char *name, size_t size)
{
	snprintf(name, size, "%s", cpu_name);
}

void isa_hypervisor(char *name, size_t size)
{
	snprintf(name, size, "%s", hypervisor);
}

static void describe(struct collected *c)
{
	struct json j;
	collect_begin(c);
	json_init(&j, &c->text);
	json_object(&j, NULL);
	os_describe(&j);
	json_end_object(&j);
	assert_int_equal(text_finish(&c->text), 0);
}

static void expect(const char *cpuinfo, const char *member)
{
	struct collected c;
	put("/proc/cpuinfo", cpuinfo);
	describe(&c);
	if (!strstr(c.bytes, member))
		fail_msg("no %s in %s", member, c.bytes);
}

static void names_of_the_cpu(void **state)
{
	(void)state;
	hypervisor = "";
	cpu_name = "Made Up 1";
	expect("model name\t: Other\n", "\"cpu\": \"Made Up 1\"");
	cpu_name = "";
	expect("processor\t: 0\ncpu family\t: 6\nmodel\t: 1\nmodel name\t: Made Up 2\nmodel name\t: Made Up 3\n",
	       "\"cpu\": \"Made Up 2\"");
	expect("cpu\t\t: UltraSparc T1 (Niagara)\nfpu\t\t: x\n", "\"cpu\": \"UltraSparc T1 (Niagara)\"");
	expect("cpu MHz\t: 1\nmodel name\nmodel name\t:\n", "\"cpu\": null");
}

static void what_is_known(void **state)
{
	struct collected c;
	struct utsname name;
	char member[400];
	(void)state;
	uname(&name);
	cpu_name = hypervisor = "";
	describe(&c);
	assert_non_null(strstr(c.bytes, "\"os\": \"linux\""));
	assert_non_null(strstr(c.bytes, "\"hypervisor\": null"));
	assert_non_null(strstr(c.bytes, "\"boot_parameters\": null"));
	snprintf(member, sizeof member, "\"os_release\": \"%s\"", name.release);
	assert_non_null(strstr(c.bytes, member));
	hypervisor = "KVM";
	put("/proc/cmdline", "quiet nohz=off\n");
	describe(&c);
	assert_non_null(strstr(c.bytes, "\"hypervisor\": \"KVM\""));
	assert_non_null(strstr(c.bytes, "\"boot_parameters\": \"quiet nohz=off\""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_A_HOST(names_of_the_cpu),
		ON_A_HOST(what_is_known),
	};
	return cmocka_run_group_tests_name("host", tests, NULL, NULL);
}
