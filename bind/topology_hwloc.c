/* Topology through hwloc 2: this host, an XML file, or a synthetic description. */
#include <errno.h>
#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "bind/topology.h"
#include "harness/os/os.h"

static int set_source(hwloc_topology_t hwloc, struct topology *t, const char *description, struct why *why)
{
	unsigned version = hwloc_get_api_version();
	if (!description) {
		snprintf(t->source, sizeof t->source, "hwloc %u.%u", version >> 16, version >> 8 & 0xff);
		return 0;
	}
	if (!access(description, F_OK)) {
		snprintf(t->source, sizeof t->source, "file %.70s", description);
		if (hwloc_topology_set_xml(hwloc, description))
			return why_set(why, -EINVAL,
				       "%.200s is no hwloc topology in XML; make one with: lstopo FILE.xml",
				       description);
		return 0;
	}
	snprintf(t->source, sizeof t->source, "described as %.60s", description);
	if (hwloc_topology_set_synthetic(hwloc, description))
		return why_set(why, -EINVAL,
			       "--topology: '%.80s' is neither a file nor a description such as \"pack:1 core:8 pu:4\"",
			       description);
	return 0;
}

static unsigned logical_index(hwloc_topology_t hwloc, hwloc_obj_t pu, hwloc_obj_type_t type)
{
	hwloc_obj_t object = hwloc_get_ancestor_obj_by_type(hwloc, type, pu);
	return object ? object->logical_index : type == HWLOC_OBJ_CORE ? pu->logical_index : 0;
}

static int by_id(const void *a, const void *b)
{
	unsigned x = ((const struct strand *)a)->id, y = ((const struct strand *)b)->id;
	return (x > y) - (x < y);
}

static int fill_strands(hwloc_topology_t hwloc, struct topology *t)
{
	int count = hwloc_get_nbobjs_by_type(hwloc, HWLOC_OBJ_PU);
	t->strands = count > 0 ? calloc((size_t)count, sizeof *t->strands) : NULL;
	if (!t->strands)
		return -ENOMEM;
	t->count = (size_t)count;
	for (size_t i = 0; i < t->count; i++) {
		hwloc_obj_t pu = hwloc_get_obj_by_type(hwloc, HWLOC_OBJ_PU, (unsigned)i);
		struct strand *strand = &t->strands[i];
		strand->id = pu->os_index;
		strand->core = logical_index(hwloc, pu, HWLOC_OBJ_CORE);
		strand->package = logical_index(hwloc, pu, HWLOC_OBJ_PACKAGE);
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
	if (hwloc_topology_load(hwloc))
		return why_set(why, -EINVAL, "hwloc cannot read the topology (%s): %s", t->source, strerror(errno));
	if (fill_strands(hwloc, t))
		return why_set(why, -ENOMEM, "the topology (%s) has no strands, or memory is out", t->source);
	t->l1i_bytes = cache_bytes(hwloc, HWLOC_OBJ_L1ICACHE, false);
	t->l1d_bytes = cache_bytes(hwloc, HWLOC_OBJ_L1CACHE, false);
	t->l2_bytes = cache_bytes(hwloc, HWLOC_OBJ_L2CACHE, false);
	t->l3_bytes = cache_bytes(hwloc, HWLOC_OBJ_L3CACHE, true);
	t->is_this_host = hwloc_topology_is_thissystem(hwloc);
	if (!hwloc_topology_export_xmlbuffer(hwloc, &xml, &length, 0)) {
		t->xml = strdup(xml);
		hwloc_free_xmlbuffer(hwloc, xml);
	}
	return 0;
}

/* HWLOC_XMLFILE and HWLOC_SYNTHETIC would make hwloc describe another machine as this host, unasked. */
static int this_host_states(struct topology *t, struct why *why)
{
	if (!t->is_this_host) {
		snprintf(t->source, sizeof t->source, "hwloc, not this host: see HWLOC_XMLFILE, HWLOC_SYNTHETIC");
		return 0;
	}
	int error = os_strand_states(t);
	return error ? why_set(why, error, "the OS does not say which strands may be used: %s", strerror(-error)) : 0;
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
	int error = set_source(hwloc, t, description, why);
	if (!error)
		error = fill(hwloc, t, why);
	if (!error && !description)
		error = this_host_states(t, why);
	if (description)
		t->is_this_host = false;
	hwloc_topology_destroy(hwloc);
	if (error)
		topology_free(t);
	return error;
}
