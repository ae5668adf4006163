/* Help and the manual page, from the tables of options and commands. */
#include <stdio.h>
#include <string.h>
#include "harness/command.h"
#include "harness/version.h"

static void option_synopsis(const struct option *o, char *text, size_t size)
{
	char letter[8] = "    ";
	if (o->letter)
		snprintf(letter, sizeof letter, "-%c, ", o->letter);
	snprintf(text, size, "%s--%s%s%s", letter, o->name, o->argument ? " " : "", o->argument ? o->argument : "");
}

/* Words of text in lines of at most width columns, every line after the first indented. */
static void wrapped(const char *text, int indent, int width)
{
	int column = indent;
	while (*text) {
		int length = (int)strcspn(text, " \n");
		if (column + length > width && column > indent) {
			printf("\n%*s", indent, "");
			column = indent;
		}
		printf("%.*s", length, text);
		column += length;
		text += length;
		if (*text == '\n') {
			printf("\n%*s", indent, "");
			column = indent;
		} else if (*text && column < width) {
			printf(" ");
			column++;
		}
		text += *text != 0;
	}
	printf("\n");
}

void usage_overview(void)
{
	printf("cmtnoise %s: what the operating system costs a program on every hardware strand\n\n"
	       "usage: cmtnoise COMMAND [options]\n\ncommands:\n",
	       CMTNOISE_VERSION);
	for (size_t i = 0; i < command_count; i++)
		printf("  %-10s %s\n", commands[i].name, commands[i].summary);
	for (size_t i = 0; i < program_count; i++)
		printf("  %-10s %s\n", programs[i].name, programs[i].summary);
	printf("\nexamples:\n"
	       "  cmtnoise doctor                                what would disturb a measurement here\n"
	       "  run=$(cmtnoise sweep) && cmtnoise report $run  every strand, then the table\n"
	       "  cmtnoise plot $run                             the figures\n"
	       "\n'cmtnoise COMMAND --help' has the options; 'cmtnoise --version' the build.\n");
}

void usage_command(const struct command *command)
{
	printf("usage: cmtnoise %s [options]\n\n", command->name);
	wrapped(command->description, 0, 100);
	printf("\noptions:\n");
	for (size_t i = 0; i < option_count; i++) {
		char synopsis[64];
		if (!(options[i].commands & command->bit))
			continue;
		option_synopsis(&options[i], synopsis, sizeof synopsis);
		printf("  %-26s ", synopsis);
		wrapped(options[i].help, 29, 100);
	}
	printf("\nexamples:\n  ");
	wrapped(command->examples, 2, 1000);
}

/* roff reads '-' as a hyphen, and '.' or '\'' at the start of a line as a request. */
static void roff(const char *text)
{
	for (const char *c = text; *c; c++) {
		if ((c == text || c[-1] == '\n') && (*c == '.' || *c == '\''))
			printf("\\&");
		if (*c == '-')
			printf("\\-");
		else if (*c == '\\')
			printf("\\e");
		else
			putchar(*c);
	}
}

static void manual_command(const struct command *command)
{
	printf(".SS cmtnoise %s\n", command->name);
	roff(command->description);
	for (size_t i = 0; i < option_count; i++) {
		const struct option *o = &options[i];
		if (!(o->commands & command->bit))
			continue;
		printf("\n.TP\n");
		if (o->letter)
			printf("\\fB\\-%c\\fR, ", o->letter);
		printf("\\fB\\-\\-");
		roff(o->name);
		printf("\\fR");
		if (o->argument)
			printf(" \\fI%s\\fR", o->argument);
		printf("\n");
		roff(o->help);
	}
	printf("\n.PP\n.EX\n");
	roff(command->examples);
	printf("\n.EE\n");
}

void usage_manual(void)
{
	printf(".TH CMTNOISE 1 \"\" \"cmtnoise %s\" \"User Commands\"\n"
	       ".SH NAME\ncmtnoise \\- measure what the operating system costs a program on every hardware strand\n"
	       ".SH SYNOPSIS\n.B cmtnoise\n.I COMMAND\n[options]\n.SH DESCRIPTION\n",
	       CMTNOISE_VERSION);
	roff("Loops of one instruction type, calibrated to 100 microseconds and bound to a strand, are stamped at every "
	     "repetition; what is longer than the rest was disturbed. Data goes to standard output, talk to standard error.");
	printf("\n.SH COMMANDS\n");
	for (size_t i = 0; i < command_count; i++)
		manual_command(&commands[i]);
	printf(".SS Others\n");
	roff("'cmtnoise WORD' runs the program cmtnoise-WORD from $CMTNOISE_EXEC_PATH, from the folder of cmtnoise, from "
	     "libexec/cmtnoise beside that, or from the PATH. Such programs are:");
	for (size_t i = 0; i < program_count; i++) {
		printf(".TP\n.B %s\n", programs[i].name);
		roff(programs[i].summary);
	}
	printf("\n.SH EXIT STATUS\n");
	roff("0 fine, 1 failed, 2 wrong usage, 130 or 143 when SIGINT or SIGTERM broke it off.");
	printf("\n");
}
