/* SPDX-License-Identifier: Zlib */
/* identity.c - reads an ELF file of this machine's word size: SONAME from its dynamic section, the build id from its notes.
 * UNTRUSTED: every offset in the file is checked against its size. */
#include "common/identity.h"
#include "common/tool.h"

#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUILD_ID_MAX_BYTES 32

/* size_bytes at offset, copied, as the file may have it anywhere; false if the file is shorter. */
static bool take(const struct zw_blob *file, uint64_t offset, void *data_ret, size_t size_bytes)
{
	if (offset > file->size_bytes || size_bytes > file->size_bytes - offset)
		return false;
	memcpy(data_ret, file->data + offset, size_bytes);
	return true;
}

static bool take_segment(const struct zw_blob *file, const ElfW(Ehdr) *head, size_t number, ElfW(Phdr) *segment_ret)
{
	return take(file, head->e_phoff + (uint64_t)number * sizeof *segment_ret, segment_ret, sizeof *segment_ret);
}

/* Where in the file an address of the process lies; false if in none of its loaded parts. */
static bool find_offset(const struct zw_blob *file, const ElfW(Ehdr) *head, uint64_t address, uint64_t *offset_ret)
{
	ElfW(Phdr) segment;

	for (size_t i = 0; i < head->e_phnum && take_segment(file, head, i, &segment); i++) {
		if (segment.p_type != PT_LOAD || address < segment.p_vaddr || address - segment.p_vaddr >= segment.p_filesz)
			continue;
		*offset_ret = address - segment.p_vaddr + segment.p_offset;
		return true;
	}
	return false;
}

static void read_soname(const struct zw_blob *file, const ElfW(Ehdr) *head, const ElfW(Phdr) *dynamic, struct zw_identity *identity)
{
	uint64_t strings = 0, name = 0, offset;
	bool has_name = false;
	ElfW(Dyn) entry;

	for (uint64_t at = 0; at + sizeof entry <= dynamic->p_filesz && take(file, dynamic->p_offset + at, &entry, sizeof entry); at += sizeof entry) {
		if (entry.d_tag == DT_STRTAB)
			strings = entry.d_un.d_ptr;
		if (entry.d_tag == DT_SONAME) {
			name = entry.d_un.d_val;
			has_name = true;
		}
	}
	if (!has_name || !find_offset(file, head, strings, &offset) || name > file->size_bytes)
		return;
	for (size_t i = 0; i < sizeof identity->soname - 1 && take(file, offset + name + i, &identity->soname[i], 1) && identity->soname[i]; i++)
		;
	identity->soname[sizeof identity->soname - 1] = 0;
}

static uint64_t round_up(uint64_t value, uint64_t unit)
{
	return (value + unit - 1) / unit * unit;
}

static void read_build_id(const struct zw_blob *file, const ElfW(Phdr) *notes, struct zw_identity *identity)
{
	uint64_t unit = notes->p_align == 8 ? 8 : 4;
	ElfW(Nhdr) note;

	for (uint64_t at = 0; at + sizeof note <= notes->p_filesz && take(file, notes->p_offset + at, &note, sizeof note);) {
		uint64_t name_at = notes->p_offset + at + sizeof note;
		uint64_t data_at = notes->p_offset + round_up(at + sizeof note + note.n_namesz, unit);
		char name[4];
		uint8_t id[BUILD_ID_MAX_BYTES];

		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof name && note.n_descsz <= sizeof id &&
		    take(file, name_at, name, sizeof name) && memcmp(name, "GNU", sizeof name) == 0 && take(file, data_at, id, note.n_descsz)) {
			for (size_t i = 0; i < note.n_descsz; i++)
				snprintf(identity->build_id + 2 * i, 3, "%02x", id[i]);
			return;
		}
		at = round_up(data_at - notes->p_offset + note.n_descsz, unit);
	}
}

/* False, after a message, if the file cannot be read.  One that is no ELF file of ours has a SHA-256 and nothing else. */
bool zw_identity_read(const char *path, struct zw_identity *identity_ret)
{
	struct zw_blob file;
	ElfW(Ehdr) head;
	ElfW(Phdr) segment;

	memset(identity_ret, 0, sizeof *identity_ret);
	if (!zw_file_read(path, &file))
		return false;
	zw_sha256_text(file.data, file.size_bytes, identity_ret->sha256);
	if (take(&file, 0, &head, sizeof head) && memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 &&
	    head.e_ident[EI_CLASS] == (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) && head.e_phentsize == sizeof segment)
		for (size_t i = 0; i < head.e_phnum && take_segment(&file, &head, i, &segment); i++) {
			if (segment.p_type == PT_DYNAMIC)
				read_soname(&file, &head, &segment, identity_ret);
			if (segment.p_type == PT_NOTE && !*identity_ret->build_id)
				read_build_id(&file, &segment, identity_ret);
		}
	free(file.data);
	return true;
}
