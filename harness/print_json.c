#include "harness/print_json.h"
#include "harness/command.h"
#include "harness/file.h"

int print_json(void (*members)(struct json *j, const void *context), const void *context)
{
	struct why why;
	struct file file;
	struct json j;

	int error = file_begin(&file, "-", false, &why);
	if (!error) {
		json_init(&j, &file.text);
		json_object(&j, NULL);
		members(&j, context);
		json_end_object(&j);
		error = file_end(&file, &why);
	}
	return error ? command_failed(1, why.text) : 0;
}
