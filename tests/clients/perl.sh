#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# Perl's Compress::Raw::Zlib and IO::Compress, where they use the system's libz.
. "$(dirname "$0")/common.sh"
need perl perl
perl -MCompress::Raw::Zlib -e 1 2>/dev/null || skip "no Compress::Raw::Zlib here (Debian package perl)"
so=$(perl -MCompress::Raw::Zlib -e 'print((grep { m{Compress/Raw/Zlib/Zlib\.so} } @DynaLoader::dl_shared_objects)[0])')
ldd "$so" | grep -q 'libz\.so\.1' || skip "this Perl has a zlib of its own"
proved_on_it perl "$here/perl_round_trip.pl" || fail "a round trip"
