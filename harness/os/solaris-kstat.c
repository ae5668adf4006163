#include "harness/os/solaris-kstat.h"
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

enum { TRIES = 20, BACK_OFF_NS = 5000000 };

static struct {
	pthread_mutex_t mutex; /* libkstat keeps what it read in the chain: threads would overwrite each other's */
	kstat_ctl_t *control;
} chain = {PTHREAD_MUTEX_INITIALIZER, NULL};

static bool is_wanted(const struct solaris_kstats *wanted, const kstat_t *kstat)
{
	return !strcmp(kstat->ks_module, wanted->module) &&
	       (wanted->instance == -1 || kstat->ks_instance == wanted->instance) &&
	       (!wanted->name || !strcmp(kstat->ks_name, wanted->name));
}

/* -EAGAIN when the chain changed: libkstat's copy of it is of one moment, told by its id, and a kstat that is gone gives ENXIO. */
static int try_once(const struct solaris_kstats *wanted)
{
	size_t found = 0;
	if (kstat_chain_update(chain.control) == -1)
		return errno ? -errno : -EIO;
	wanted->begin(wanted->context);
	for (kstat_t *kstat = chain.control->kc_chain; kstat; kstat = kstat->ks_next) {
		if (!is_wanted(wanted, kstat))
			continue;
		kid_t id = kstat_read(chain.control, kstat, NULL);
		if (id == -1)
			return errno == ENXIO ? -EAGAIN : errno ? -errno : -EIO;
		if (id != chain.control->kc_chain_id)
			return -EAGAIN;
		int error = wanted->visit(kstat, wanted->context);
		if (error)
			return error;
		found++;
	}
	return found ? 0 : -ENOENT;
}

static int read_chain(const struct solaris_kstats *wanted)
{
	int error = -EAGAIN;
	if (!chain.control)
		chain.control = kstat_open();
	if (!chain.control)
		return errno ? -errno : -EIO;
	for (unsigned i = 0; i < TRIES && error == -EAGAIN; i++) {
		struct timespec pause = {0, BACK_OFF_NS};
		if (i)
			nanosleep(&pause, NULL);
		error = try_once(wanted);
	}
	return error;
}

int solaris_kstat_read(const struct solaris_kstats *wanted)
{
	pthread_mutex_lock(&chain.mutex);
	int error = read_chain(wanted);
	pthread_mutex_unlock(&chain.mutex);
	return error;
}

bool solaris_kstat_number(kstat_t *kstat, const char *name, uint64_t *value)
{
	const kstat_named_t *named = kstat_data_lookup(kstat, (char *)name);
	if (!named)
		return false;
	switch (named->data_type) {
	case KSTAT_DATA_INT32:
		*value = (uint64_t)(int64_t)named->value.i32;
		return true;
	case KSTAT_DATA_UINT32:
		*value = named->value.ui32;
		return true;
	case KSTAT_DATA_INT64:
		*value = (uint64_t)named->value.i64;
		return true;
	case KSTAT_DATA_UINT64:
		*value = named->value.ui64;
		return true;
	default:
		return false;
	}
}

bool solaris_kstat_text(kstat_t *kstat, const char *name, char *text, size_t size)
{
	const kstat_named_t *named = kstat_data_lookup(kstat, (char *)name);
	size_t length = 0;
	text[0] = 0;
	if (!named)
		return false;
	if (named->data_type == KSTAT_DATA_STRING && KSTAT_NAMED_STR_PTR(named))
		return strlcpy(text, KSTAT_NAMED_STR_PTR(named), size) > 0;
	if (named->data_type != KSTAT_DATA_CHAR)
		return false;
	/* Sixteen letters at most, and then without an end. */
	while (length < sizeof named->value.c && length + 1 < size && named->value.c[length]) {
		text[length] = named->value.c[length];
		length++;
	}
	text[length] = 0;
	return length > 0;
}
