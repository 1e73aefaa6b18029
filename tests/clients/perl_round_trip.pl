# SPDX-License-Identifier: Zlib
# perl_round_trip.pl - streams, dictionaries, parameters and files through Compress::Raw::Zlib and IO::Compress.
use strict;
use warnings;
use Compress::Raw::Zlib;
use IO::Compress::Gzip qw(gzip $GzipError);
use IO::Uncompress::Gunzip qw(gunzip $GunzipError);

my $count = 0;
my $text = join '', map { "line $_ of the text, " . ($_ * 7919 % 1000) . "\n" } 1 .. 5000;

sub check { my ($ok, $what) = @_; $count++; die "not ok: $what\n" unless $ok; }

for my $level (0 .. 9) {
	for my $bits (-15, 9, 15, WANT_GZIP) {
		my ($d, $status) = Compress::Raw::Zlib::Deflate->new(-Level => $level, -WindowBits => $bits, -AppendOutput => 1);
		check($status == Z_OK, "deflate at $level");
		my $out = '';
		for (my $at = 0; $at < length $text; $at += 1000) {
			check($d->deflate(substr($text, $at, 1000), $out) == Z_OK, 'deflate');
			check($d->flush($out, Z_SYNC_FLUSH) == Z_OK, 'sync flush') if $at % 7000 == 0;
		}
		check($d->deflateParams(-Level => 9 - $level) == Z_OK, 'params');
		check($d->deflate($text, $out) == Z_OK, 'deflate');
		check($d->flush($out) == Z_OK, 'flush');
		my $i = Compress::Raw::Zlib::Inflate->new(-WindowBits => $bits, -AppendOutput => 1, -ConsumeInput => 1);
		my $back = '';
		my $rest = $out . 'trailing';
		check($i->inflate($rest, $back) == Z_STREAM_END, 'inflate');
		check($back eq $text . $text, 'bytes');
		check($rest eq 'trailing', 'what follows the stream');
	}
}
my $dictionary = 'line of the text, ';
my $d = Compress::Raw::Zlib::Deflate->new(-Dictionary => $dictionary, -AppendOutput => 1);
my $out = '';
check($d->deflate($text, $out) == Z_OK && $d->flush($out) == Z_OK, 'dictionary');
my $i = Compress::Raw::Zlib::Inflate->new(-Dictionary => $dictionary, -AppendOutput => 1);
my $back = '';
check($i->inflate($out, $back) == Z_STREAM_END && $back eq $text, 'dictionary back');
my ($packed, $unpacked);
check(gzip(\$text => \$packed, -Name => 'a name', -Comment => 'a comment', -HeaderCRC => 1), 'gzip');
check(gunzip(\$packed => \$unpacked) && $unpacked eq $text, 'gunzip');
check(crc32($text) == unpack('V', substr $packed, -8, 4), 'crc32');
check(Compress::Raw::Zlib::crc32_combine(crc32('ab'), crc32('cde'), 3) == crc32('abcde'), 'crc32_combine');
check(Compress::Raw::Zlib::adler32_combine(adler32('ab'), adler32('cde'), 3) == adler32('abcde'), 'adler32_combine');
substr($packed, 200, 1) ^= "\x10";
check(!gunzip(\$packed => \$unpacked, Strict => 1), 'damage is not seen');
print "perl: $count checks\n";
