/* SPDX-License-Identifier: Zlib */
/* types.c - types by extension, as NGINX's mime.types sees them, and by the first bytes. */
#include "precompress/types.h"

#include "common/tool.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What shrinks and is served.  Left out: what is compressed inside (woff, png, jpeg, pdf, docx) and what is no web body. */
static const char defaults[] =
	"html,htm,shtml,xhtml,css,js,mjs,cjs,json,jsonld,geojson,topojson,map,webmanifest,manifest,appcache,"
	"xml,rss,atom,xsl,xslt,xsd,rdf,kml,gpx,mml,svg,txt,text,md,csv,tsv,yaml,yml,toml,"
	"wasm,ico,cur,bmp,ttf,otf,eot,ttc,vtt,srt,ics,vcf,htc,jad,wml,ps,eps,rtf,tex,m3u8,mpd,glsl,obj,gltf,hdr,pgm,ppm";

void zw_types_default(struct zw_types *types)
{
	zw_types_add(types, defaults);
}

bool zw_types_add(struct zw_types *types, const char *comma_list)
{
	while (*comma_list) {
		size_t length;
		char *text;

		comma_list += *comma_list == '.';
		length = strcspn(comma_list, ",");
		if (!length || types->count == TYPE_EXTENSION_MAX)
			return false;
		text = zw_tool_format("%.*s", (int)length, comma_list);
		for (char *c = text; *c; c++)
			if (*c >= 'A' && *c <= 'Z')
				*c = (char)(*c + 'a' - 'A');
		types->list[types->count++] = text;
		comma_list += length;
		comma_list += *comma_list == ',';
	}
	return types->count > 0;
}

void zw_types_free(struct zw_types *types)
{
	while (types->count)
		free(types->list[--types->count]);
	zw_nginx_types_free(types->nginx);
	types->nginx = NULL;
}

bool zw_types_has(const struct zw_types *types, const char *name)
{
	const char *dot = strrchr(name, '.');
	bool is_compressed = false;

	if (types->all)
		return true;
	if (types->nginx)
		zw_nginx_type_of(types->nginx, name, &is_compressed);
	if (is_compressed || !dot || dot == name)
		return is_compressed;
	for (size_t i = 0; i < types->count; i++)
		if (strcasecmp(types->list[i], dot + 1) == 0)
			return true;
	return false;
}

/* The type under which NGINX sends a file of that name uncompressed; NULL if it compresses it, or nobody knows NGINX's
 * types.  *extension_ret is the name's extension as it stands in the built-in list, or NULL: then there is little to gain. */
const char *zw_types_uncovered(const struct zw_types *types, const char *name, const char **extension_ret)
{
	const char *dot = strrchr(name, '.'), *type, *found = defaults;
	size_t length;
	bool is_compressed;

	*extension_ret = NULL;
	if (!types->nginx)
		return NULL;
	type = zw_nginx_type_of(types->nginx, name, &is_compressed);
	if (is_compressed)
		return NULL;
	length = dot && dot != name ? strlen(dot + 1) : 0;
	for (; length && *found; found += *found == ',') {
		size_t here = strcspn(found, ",");

		if (here == length && strncasecmp(found, dot + 1, length) == 0)
			*extension_ret = found;
		found += here;
	}
	return type;
}

static const struct { const char *name; uint8_t at, bytes; const char *magic; } formats[] = {
	{ "gzip",  0, 2, "\x1f\x8b" },        { "compress", 0, 2, "\x1f\x9d" },      { "zip",  0, 4, "PK\x03\x04" },
	{ "zstd",  0, 4, "\x28\xb5\x2f\xfd" }, { "xz",       0, 6, "\xfd" "7zXZ\0" }, { "bzip2", 0, 3, "BZh" },
	{ "7z",    0, 6, "7z\xbc\xaf\x27\x1c" }, { "rar",    0, 4, "Rar!" },          { "lz4",  0, 4, "\x04\x22\x4d\x18" },
	{ "png",   0, 8, "\x89PNG\r\n\x1a\n" }, { "jpeg",    0, 3, "\xff\xd8\xff" },  { "gif",  0, 4, "GIF8" },
	{ "webp",  8, 4, "WEBP" },            { "mp4 or avif", 4, 4, "ftyp" },       { "webm", 0, 4, "\x1a\x45\xdf\xa3" },
	{ "woff",  0, 4, "wOFF" },            { "woff2",    0, 4, "wOF2" },          { "mp3",  0, 3, "ID3" },
	{ "ogg",   0, 4, "OggS" },            { "flac",     0, 4, "fLaC" },          { "jpeg xl", 0, 4, "\0\0\0\x0c" },
};

/* The format's name, or NULL.  A text can begin like "BZh" or "ID3"; so those count only with the byte that follows. */
const char *zw_type_compressed_as(const uint8_t *start, size_t bytes)
{
	for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
		size_t end = (size_t)formats[i].at + formats[i].bytes;

		if (bytes <= end || memcmp(start + formats[i].at, formats[i].magic, formats[i].bytes) != 0)
			continue;
		if (strcmp(formats[i].name, "bzip2") == 0 && (bytes < 10 || memcmp(start + 4, "1AY&SY", 6) != 0))
			continue;
		if (strcmp(formats[i].name, "mp3") == 0 && start[end] > 8)
			continue;
		if (strcmp(formats[i].name, "webp") == 0 && memcmp(start, "RIFF", 4) != 0)
			continue;
		if (strcmp(formats[i].name, "jpeg xl") == 0 && (bytes < 8 || memcmp(start + 4, "JXL ", 4) != 0))
			continue;
		if (strcmp(formats[i].name, "mp4 or avif") == 0 && start[0] != 0)
			continue;
		return formats[i].name;
	}
	return NULL;
}
