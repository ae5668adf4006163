/* A Linux host made of files in a temporary folder, one for each test. */
#ifndef CMTNOISE_TEST_LINUX_HOST_H
#define CMTNOISE_TEST_LINUX_HOST_H

#include "tests/unit/test.h"
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include "harness/os/linux-files.h"

static char host_root[64];

static inline void put(const char *path, const char *text)
{
	char full[512];
	snprintf(full, sizeof full, "%s%s", host_root, path);
	for (char *slash = strchr(full + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		mkdir(full, 0777);
		*slash = '/';
	}
	FILE *file = fopen(full, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static inline int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *where)
{
	(void)status;
	(void)kind;
	(void)where;
	return remove(path);
}

static inline int new_host(void **state)
{
	(void)state;
	snprintf(host_root, sizeof host_root, "/tmp/cmtnoise-host-XXXXXX");
	if (!mkdtemp(host_root))
		return -1;
	linux_set_root(host_root);
	return 0;
}

static inline int end_host(void **state)
{
	(void)state;
	linux_set_root("");
	return nftw(host_root, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

#define ON_A_HOST(test) cmocka_unit_test_setup_teardown(test, new_host, end_host)

#endif
