/* Topology through hwloc 2: this host, an XML file, or a synthetic description. */
#include <errno.h>
#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "bind/topology.h"
#include "harness/os/os.h"

static int no_topology_in(const char *file, struct why *why)
{
	return why_set(why, -EINVAL,
		       "%.200s holds no hwloc topology in XML, or a part of one; make one with: lstopo FILE.xml", file);
}

static int set_source(hwloc_topology_t hwloc, struct topology *t, const char *description, struct why *why)
{
	if (!description) {
		snprintf(t->source, sizeof t->source, "hwloc %s", HWLOC_VERSION);
		return 0;
	}
	if (!access(description, F_OK)) {
		snprintf(t->source, sizeof t->source, "file %.70s", description);
		if (access(description, R_OK))
			return why_set(why, -errno, "%.200s cannot be read: %s", description, strerror(errno));
		return hwloc_topology_set_xml(hwloc, description) ? no_topology_in(description, why) : 0;
	}
	snprintf(t->source, sizeof t->source, "described as %.60s", description);
	if (hwloc_topology_set_synthetic(hwloc, description))
		return why_set(why, -EINVAL,
			       "--topology: '%.80s' is neither a file nor a description such as \"pack:1 core:8 pu:4\"",
			       description);
	return 0;
}

/* hwloc knows no cores on some machines and in some guests: such a strand is a core of its own, numbered after the others. */
static void place(hwloc_topology_t hwloc, const struct topology *t, hwloc_obj_t pu, struct strand *strand)
{
	hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(hwloc, HWLOC_OBJ_CORE, pu);
	hwloc_obj_t package = hwloc_get_ancestor_obj_by_type(hwloc, HWLOC_OBJ_PACKAGE, pu);
	unsigned packages = (unsigned)hwloc_get_nbobjs_by_type(hwloc, HWLOC_OBJ_PACKAGE);
	strand->id = pu->os_index;
	strand->core = core ? core->logical_index : (unsigned)t->core_count;
	strand->package = package ? package->logical_index : packages;
}

static int by_id(const void *a, const void *b)
{
	unsigned x = ((const struct strand *)a)->id, y = ((const struct strand *)b)->id;
	return (x > y) - (x < y);
}

static int fill_strands(hwloc_topology_t hwloc, struct topology *t)
{
	int count = hwloc_get_nbobjs_by_type(hwloc, HWLOC_OBJ_PU);
	int cores = hwloc_get_nbobjs_by_type(hwloc, HWLOC_OBJ_CORE);
	hwloc_const_bitmap_t allowed = hwloc_topology_get_allowed_cpuset(hwloc);
	t->strands = count > 0 ? calloc((size_t)count, sizeof *t->strands) : NULL;
	if (!t->strands)
		return -ENOMEM;
	t->count = (size_t)count;
	t->core_count = cores > 0 ? (size_t)cores : 0;
	for (size_t i = 0; i < t->count; i++) {
		hwloc_obj_t pu = hwloc_get_obj_by_type(hwloc, HWLOC_OBJ_PU, (unsigned)i);
		struct strand *strand = &t->strands[i];
		place(hwloc, t, pu, strand);
		strand->state = hwloc_bitmap_isset(allowed, pu->os_index) ? STRAND_USABLE : STRAND_EXCLUDED;
		t->core_count = strand->core >= t->core_count ? strand->core + 1 : t->core_count;
		t->package_count = strand->package >= t->package_count ? strand->package + 1 : t->package_count;
	}
	qsort(t->strands, t->count, sizeof *t->strands, by_id);
	return 0;
}

/* The smallest L1 and L2, since an operand has to fit on every strand; the largest L3, since one has to exceed it. */
static uint64_t cache_bytes(hwloc_topology_t hwloc, hwloc_obj_type_t type, bool largest)
{
	uint64_t bytes = 0;
	int count = hwloc_get_nbobjs_by_type(hwloc, type);
	for (int i = 0; i < count; i++) {
		uint64_t size = hwloc_get_obj_by_type(hwloc, type, (unsigned)i)->attr->cache.size;
		if (size && (!bytes || (largest ? size > bytes : size < bytes)))
			bytes = size;
	}
	return bytes;
}

static int fill(hwloc_topology_t hwloc, struct topology *t, struct why *why)
{
	char *xml;
	int length;
	if (fill_strands(hwloc, t))
		return why_set(why, -ENOMEM, "the topology (%s) has no strands, or memory is out", t->source);
	t->l1i_bytes = cache_bytes(hwloc, HWLOC_OBJ_L1ICACHE, false);
	t->l1d_bytes = cache_bytes(hwloc, HWLOC_OBJ_L1CACHE, false);
	t->l2_bytes = cache_bytes(hwloc, HWLOC_OBJ_L2CACHE, false);
	t->l3_bytes = cache_bytes(hwloc, HWLOC_OBJ_L3CACHE, true);
	if (!hwloc_topology_export_xmlbuffer(hwloc, &xml, &length, 0)) {
		t->xml = strdup(xml);
		hwloc_free_xmlbuffer(hwloc, xml);
	}
	return 0;
}

/* The environment can make hwloc describe another machine as this host, unasked. */
static const char *misleading_variable(void)
{
	static const char *const names[] = {"HWLOC_XMLFILE", "HWLOC_SYNTHETIC", "HWLOC_FSROOT", "HWLOC_CPUID_PATH"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (getenv(names[i]))
			return names[i];
	return "HWLOC_THISSYSTEM"; /* the only way left */
}

static int this_host_states(hwloc_topology_t hwloc, struct topology *t, struct why *why)
{
	t->is_this_host = hwloc_topology_is_thissystem(hwloc);
	if (!t->is_this_host) {
		snprintf(t->source, sizeof t->source, "hwloc %s, not this host: %s is set", HWLOC_VERSION,
			 misleading_variable());
		return 0;
	}
	int error = os_strand_states(t);
	return error ? why_set(why, error, "the OS does not say which strands may be used: %s", strerror(-error)) : 0;
}

static int load(hwloc_topology_t hwloc, struct topology *t, const char *description, struct why *why)
{
	int error = set_source(hwloc, t, description, why);
	if (error)
		return error;
	if (hwloc_topology_load(hwloc)) /* this is where hwloc reads a file; errno says nothing of use then */
		return description ? no_topology_in(description, why)
				   : why_set(why, -EIO, "hwloc cannot read the topology of this host");
	error = fill(hwloc, t, why);
	return error || description ? error : this_host_states(hwloc, t, why);
}

int topology_load(struct topology *t, const char *description, struct why *why)
{
	hwloc_topology_t hwloc;
	*t = (struct topology){0};
	setenv("HWLOC_HIDE_ERRORS", "2", 0); /* the sentence in `why` is enough */
	if (hwloc_topology_init(&hwloc))
		return why_set(why, -ENOMEM, "hwloc cannot start: %s", strerror(errno));
	/* Strands that a cpuset leaves out stay visible, so that they can be explained and numbers stay the same. */
	hwloc_topology_set_flags(hwloc, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
	hwloc_topology_set_io_types_filter(hwloc, HWLOC_TYPE_FILTER_KEEP_NONE);
	hwloc_topology_set_type_filter(hwloc, HWLOC_OBJ_MISC, HWLOC_TYPE_FILTER_KEEP_NONE);
	hwloc_topology_set_icache_types_filter(hwloc, HWLOC_TYPE_FILTER_KEEP_ALL);
	int error = load(hwloc, t, description, why);
	hwloc_topology_destroy(hwloc);
	if (error)
		topology_free(t);
	return error;
}
