/* SPDX-License-Identifier: Zlib */
/* nginx_conf.c - NGINX's configuration as a row of directives.
 * Takes: the path of nginx.conf.  Gives: directives.  Then: nginx_types.c
 * Never: knows what a directive means, but include and the blocks of Lua, whose text is no configuration. */
#include "precompress/nginx_conf.h"

#include "common/tool.h"

#include <ctype.h>
#include <glob.h>
#include <libgen.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
	zw_nginx_take take;
	void *opaque;
	char *folder;                            /* of nginx.conf */
	char *error;
	unsigned include_depth;
	char *blocks[NGINX_DEPTH_MAX];           /* the names of those that are open */
	unsigned block_depth;
};

/* One file that is being read. */
struct text {
	struct reader *reader;
	const char *path;
	const char *next, *end;
	unsigned line;
	char *word;                              /* room for the longest, the whole file */
	char *words[NGINX_WORD_MAX];
	size_t word_count;
};

enum token { TOKEN_WORD, TOKEN_SEMICOLON, TOKEN_OPEN, TOKEN_CLOSE, TOKEN_END, TOKEN_BAD };

static bool read_file(struct reader *reader, const char *path);

static bool __attribute__((format(printf, 2, 3))) complain(struct text *text, const char *format, ...)
{
	va_list args;
	char *what = NULL;

	va_start(args, format);
	if (vasprintf(&what, format, args) < 0)
		what = NULL;
	va_end(args);
	if (!text->reader->error)
		text->reader->error = zw_tool_format("%s:%u: %s", text->path, text->line, what ? what : "bad");
	free(what);
	return false;
}

static void skip_space(struct text *text)
{
	while (text->next < text->end) {
		if (*text->next == '#')
			while (text->next < text->end && *text->next != '\n')
				text->next++;
		else if (!isspace((unsigned char)*text->next))
			return;
		else
			text->line += *text->next++ == '\n';
	}
}

/* A backslash and the character after it, as NGINX takes them: most stay both, but end no word.  Returns what was written. */
static size_t unescape(struct text *text, char *to)
{
	char c;

	text->next++;
	if (text->next == text->end) {
		*to = '\\';
		return 1;
	}
	c = *text->next++;
	text->line += c == '\n';
	switch (c) {
	case 't': *to = '\t'; return 1;
	case 'r': *to = '\r'; return 1;
	case 'n': *to = '\n'; return 1;
	case '"': case '\'': case '\\': *to = c; return 1;
	default: break;
	}
	to[0] = '\\';
	to[1] = c;
	return 2;
}

/* Into words[]; the text stands at its first character. */
static enum token read_word(struct text *text)
{
	char quote = *text->next == '"' || *text->next == '\'' ? *text->next++ : 0;
	char *to = text->word;

	if (text->word_count == NGINX_WORD_MAX) {
		complain(text, "a directive has more than %d words", NGINX_WORD_MAX);
		return TOKEN_BAD;
	}
	while (text->next < text->end) {
		char c = *text->next;

		if (c == '\\') {
			to += unescape(text, to);
			continue;
		}
		if (quote ? c == quote : isspace((unsigned char)c) || c == ';' || (c == '{' && (to == text->word || to[-1] != '$')))
			break;
		text->line += c == '\n';
		*to++ = c;
		text->next++;
	}
	*to = 0;
	text->words[text->word_count++] = zw_tool_format("%s", text->word);
	if (!quote)
		return TOKEN_WORD;
	if (text->next == text->end) {
		complain(text, "a quote is not closed");
		return TOKEN_BAD;
	}
	text->next++;
	return TOKEN_WORD;
}

static enum token read_token(struct text *text)
{
	skip_space(text);
	if (text->next == text->end)
		return TOKEN_END;
	switch (*text->next) {
	case ';': text->next++; return TOKEN_SEMICOLON;
	case '{': text->next++; return TOKEN_OPEN;
	case '}': text->next++; return TOKEN_CLOSE;
	default: return read_word(text);
	}
}

static void drop_words(struct text *text)
{
	while (text->word_count)
		free(text->words[--text->word_count]);
}

static void give(struct text *text, bool is_block)
{
	struct reader *reader = text->reader;
	struct zw_nginx_directive directive = { text->words, text->word_count, is_block,
		reader->block_depth ? reader->blocks[reader->block_depth - 1] : "" };

	reader->take(reader->opaque, &directive);
}

/* One file, or all that match, in the order of their names; none may match a pattern, but a file must be there. */
static bool include(struct text *text, const char *name)
{
	struct reader *reader = text->reader;
	char *pattern = *name == '/' ? zw_tool_format("%s", name) : zw_tool_format("%s/%s", reader->folder, name);
	bool is_pattern = strpbrk(name, "*?[") != NULL, is_fine = true;
	glob_t found = { 0 };

	if (!is_pattern) {
		is_fine = read_file(reader, pattern) || complain(text, "what is included cannot be read: %s", pattern);
	} else if (glob(pattern, 0, NULL, &found) == 0) {
		for (size_t i = 0; i < found.gl_pathc && is_fine; i++)
			is_fine = read_file(reader, found.gl_pathv[i]);
	}
	globfree(&found);
	free(pattern);
	return is_fine;
}

/* content_by_lua_block { ... }: braces in pairs, quotes and comments of Lua left out. */
static bool skip_lua(struct text *text)
{
	unsigned depth = 1;

	for (; text->next < text->end && depth; text->next++) {
		char c = *text->next;

		text->line += c == '\n';
		if (c == '-' && text->next + 1 < text->end && text->next[1] == '-') {
			while (text->next + 1 < text->end && text->next[1] != '\n')
				text->next++;
		} else if (c == '"' || c == '\'') {
			while (text->next + 1 < text->end && text->next[1] != c && text->next[1] != '\n')
				text->next += text->next[1] == '\\' && text->next + 2 < text->end ? 2 : 1;
			text->next += text->next + 1 < text->end && text->next[1] == c;
		}
		depth += c == '{';
		depth -= c == '}';
	}
	return depth == 0 || complain(text, "a block of Lua is not closed");
}

static bool is_lua_block(const char *name)
{
	static const char suffix[] = "_by_lua_block";
	size_t length = strlen(name);

	return length >= sizeof suffix && strcmp(name + length - (sizeof suffix - 1), suffix) == 0;
}

static bool open_block(struct text *text)
{
	struct reader *reader = text->reader;

	if (!text->word_count)
		return complain(text, "a block has no name");
	if (is_lua_block(text->words[0]))
		return skip_lua(text);
	if (reader->block_depth == NGINX_DEPTH_MAX)
		return complain(text, "more than %d blocks in each other", NGINX_DEPTH_MAX);
	give(text, true);
	reader->blocks[reader->block_depth++] = zw_tool_format("%s", text->words[0]);
	return true;
}

static bool end_directive(struct text *text)
{
	if (!text->word_count)
		return complain(text, "unexpected ;");
	if (strcmp(text->words[0], "include") == 0) {
		if (text->word_count != 2)
			return complain(text, "include wants one name");
		return include(text, text->words[1]);
	}
	give(text, false);
	return true;
}

static bool read_text(struct text *text)
{
	struct reader *reader = text->reader;
	unsigned depth_before = reader->block_depth;
	bool is_fine = true;

	while (is_fine) {
		enum token token = read_token(text);

		if (token == TOKEN_WORD)
			continue;
		if (token == TOKEN_END) {
			if (text->word_count)
				is_fine = complain(text, "the file ends within a directive; a ; is missing");
			else if (reader->block_depth != depth_before)
				is_fine = complain(text, "the file ends within a block; a } is missing");
			break;
		}
		if (token == TOKEN_OPEN)
			is_fine = open_block(text);
		else if (token == TOKEN_SEMICOLON)
			is_fine = end_directive(text);
		else if (token == TOKEN_CLOSE && text->word_count)
			is_fine = complain(text, "unexpected }; a ; is missing");
		else if (token == TOKEN_CLOSE && reader->block_depth == depth_before)
			is_fine = complain(text, "unexpected }");
		else if (token == TOKEN_CLOSE)
			free(reader->blocks[--reader->block_depth]);
		else
			is_fine = false;
		drop_words(text);
	}
	drop_words(text);
	return is_fine;
}

static bool read_file(struct reader *reader, const char *path)
{
	struct text *text;
	struct zw_blob blob;
	bool is_fine;

	if (reader->include_depth == NGINX_DEPTH_MAX) {
		if (!reader->error)
			reader->error = zw_tool_format("%s: more than %d files include each other", path, NGINX_DEPTH_MAX);
		return false;
	}
	if (!zw_file_read(path, &blob))
		return false;
	text = zw_tool_alloc(sizeof *text);
	text->reader = reader;
	text->path = path;
	text->next = (const char *)blob.data;
	text->end = text->next + blob.size_bytes;
	text->line = 1;
	text->word = zw_tool_alloc(blob.size_bytes + 1);
	reader->include_depth++;
	is_fine = read_text(text);
	reader->include_depth--;
	free(text->word);
	free(text);
	free(blob.data);
	return is_fine;
}

bool zw_nginx_conf_read(const char *path, zw_nginx_take take, void *opaque, char **error_ret)
{
	struct reader reader = { .take = take, .opaque = opaque };
	char *copy = zw_tool_format("%s", path);
	bool is_fine;

	reader.folder = zw_tool_format("%s", dirname(copy));
	is_fine = read_file(&reader, path);
	if (!is_fine && !reader.error)
		reader.error = zw_tool_format("%s cannot be read", path);
	while (reader.block_depth)
		free(reader.blocks[--reader.block_depth]);
	free(reader.folder);
	free(copy);
	*error_ret = reader.error;
	return is_fine;
}
