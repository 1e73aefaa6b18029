<?php
// SPDX-License-Identifier: Zlib
// php_round_trip.php - php_round_trip.php write|read DIRECTORY: writes files in every way PHP's zlib extension knows, or
// reads what such a run wrote. Exit 1 at the first difference.
[, $mode, $dir] = $argv;
$count = 0;
$text = '';
for ($i = 0; $i < 9000; $i++)
	$text .= "line $i of the text, " . ($i * 7919 % 1000) . "\n";
$dictionary = 'line of the text, ';

function check(bool $ok, string $what): void
{
	global $count;
	$count++;
	if (!$ok) {
		fwrite(STDERR, "not ok: $what\n");
		exit(1);
	}
}

// pass(NAME, PACK, UNPACK): writes PACK's result, or compares UNPACK of the file with the text.
function pass(string $name, callable $pack, callable $unpack): void
{
	global $mode, $dir, $text;
	$file = "$dir/$name";
	if ($mode == 'write') {
		$packed = $pack($text);
		check(is_string($packed) && strlen($packed) > 0, "pack $name");
		file_put_contents($file, $packed);
	}
	check($unpack(file_get_contents($file)) === $text, "unpack $name");
}

function inflate_in_pieces(string $data, int $encoding, int $piece, array $options): string
{
	$context = inflate_init($encoding, $options);
	$out = '';
	foreach (str_split($data, $piece) as $part)
		$out .= inflate_add($context, $part);
	check(inflate_get_status($context) == ZLIB_STREAM_END, 'the end of the stream');
	if (!isset($options['dictionary']))     # then PHP does not count the header
		check(inflate_get_read_len($context) == strlen($data), 'how much was read');
	return $out;
}

for ($level = -1; $level <= 9; $level++) {
	pass("gzencode$level", fn($t) => gzencode($t, $level), 'gzdecode');
	pass("gzdeflate$level", fn($t) => gzdeflate($t, $level), 'gzinflate');
	pass("gzcompress$level", fn($t) => gzcompress($t, $level), 'gzuncompress');
	foreach ([ZLIB_ENCODING_RAW, ZLIB_ENCODING_GZIP, ZLIB_ENCODING_DEFLATE] as $encoding) {
		foreach ([ZLIB_DEFAULT_STRATEGY, ZLIB_FILTERED, ZLIB_HUFFMAN_ONLY, ZLIB_RLE, ZLIB_FIXED] as $strategy) {
			$options = ['level' => $level, 'memory' => 1 + ($level + $strategy + 1) % 9, 'window' => 9 + ($level + 1 + $strategy) % 7,
				'strategy' => $strategy];
			if ($strategy == ZLIB_RLE && $encoding != ZLIB_ENCODING_GZIP)
				$options['dictionary'] = $dictionary;
			pass("context$level-$encoding-$strategy", function ($t) use ($encoding, $options) {
				$context = deflate_init($encoding, $options);
				$out = '';
				$modes = [ZLIB_NO_FLUSH, ZLIB_SYNC_FLUSH, ZLIB_FULL_FLUSH, ZLIB_PARTIAL_FLUSH, ZLIB_BLOCK];
				foreach (str_split($t, 5000) as $n => $part)
					$out .= deflate_add($context, $part, $modes[$n % 5]);
				return $out . deflate_add($context, '', ZLIB_FINISH);
			}, fn($d) => inflate_in_pieces($d, $encoding, 777, $options));
		}
	}
	$file = "$dir/stream$level.gz";
	if ($mode == 'write') {
		$out = gzopen($file, 'wb' . max($level, 0));
		foreach (str_split($text, 4321) as $part)
			check(gzwrite($out, $part) == strlen($part), 'gzwrite');
		gzclose($out);
	}
	check(file_get_contents("compress.zlib://$file") === $text, 'compress.zlib');
	$in = gzopen($file, 'rb');
	check(gzgets($in) === "line 0 of the text, 0\n", 'gzgets');
	check(gzseek($in, 100000) == 0 && gztell($in) == 100000 && gzread($in, 50) === substr($text, 100000, 50), 'gzseek');
	gzrewind($in);
	check(implode('', gzfile($file)) === $text && gzgetc($in) === 'l', 'gzfile');
	gzclose($in);
	pass("filter$level", function ($t) use ($level) {
		$stream = fopen('php://temp', 'w+');
		$filter = stream_filter_append($stream, 'zlib.deflate', STREAM_FILTER_WRITE, ['level' => $level, 'window' => -15]);
		foreach (str_split($t, 3000) as $part)
			fwrite($stream, $part);
		stream_filter_remove($filter);
		rewind($stream);
		return stream_get_contents($stream);
	}, function ($d) {
		$stream = fopen('php://temp', 'w+');
		fwrite($stream, $d);
		rewind($stream);
		stream_filter_append($stream, 'zlib.inflate', STREAM_FILTER_READ, ['window' => -15]);
		return stream_get_contents($stream);
	});
}
$damaged = gzencode($text);
$damaged[1000] = chr(ord($damaged[1000]) ^ 64);
check(@gzdecode($damaged) === false, 'damage is not seen');
check(@gzuncompress(substr(gzcompress($text), 0, -3)) === false, 'a cut stream is not seen');
check(@gzinflate(gzdeflate($text), 1000) === false, 'the limit is not kept');
check(unpack('V', substr(gzencode($text), -8, 4))[1] == crc32($text), 'crc32');
echo "php: $mode, $count checks\n";
