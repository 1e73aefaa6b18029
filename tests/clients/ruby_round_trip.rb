# SPDX-License-Identifier: Zlib
# ruby_round_trip.rb write|read DIRECTORY - writes files in the ways Ruby's Zlib knows, or reads what such a run wrote.
require 'zlib'
require 'stringio'
MODE, DIR = ARGV
TEXT = (0...9000).map { |i| "line #{i} of the text, #{i * 7919 % 1000}\n" }.join
DICTIONARY = 'line of the text, '
$count = 0

def check(ok, what)
  $count += 1
  abort "not ok: #{what}" unless ok
end

def pass(name)
  file = "#{DIR}/#{name}"
  File.binwrite(file, yield) if MODE == 'write'
  File.binread(file)
end

[-1, 0, 1, 3, 4, 9].each do |level|
  [-15, -9, 9, 15, 25, 31].each do |bits|
    (0..4).each do |strategy|
      data = pass("stream#{level}_#{bits}_#{strategy}") do
        d = Zlib::Deflate.new(level, bits, 1 + (level + bits + strategy) % 9, strategy)
        out = ''.b
        TEXT.scan(/.{1,5000}/m).each_with_index do |part, n|
          flush = [Zlib::NO_FLUSH, Zlib::SYNC_FLUSH, Zlib::FULL_FLUSH][n % 3]
          d << part[0, 10]
          d.params(9 - level.abs, strategy) if n == 5     # with a buffer and little to write: Ruby 3.1 crashes otherwise, on any zlib
          out << d.deflate(part[10..] || '', flush)
        end
        out << d.finish
        check(d.total_in == TEXT.size && d.total_out == out.size && d.finished?, 'totals')
        d.close
        out
      end
      i = Zlib::Inflate.new(bits)
      back = ''.b
      data.scan(/.{1,701}/mn) { |part| i.inflate(part) { |chunk| back << chunk } }
      back << i.inflate('trailing')
      check(back == TEXT && i.finished? && i.total_in == data.size, "level #{level}, windowBits #{bits}, strategy #{strategy}")
      check(i.finish == '' && i.flush_next_in.empty? || i.finished?, 'what follows the stream')
      i.close
    end
  end
  data = pass("dictionary#{level}") do
    d = Zlib::Deflate.new(level)
    d.set_dictionary(DICTIONARY)
    d.deflate(TEXT, Zlib::FINISH)
  end
  i = Zlib::Inflate.new
  begin
    i.inflate(data)
    check(false, 'no dictionary asked for')
  rescue Zlib::NeedDict
    i.set_dictionary(DICTIONARY)
    check(i.inflate('') == TEXT && i.finished?, "dictionary at #{level}")
  end
  data = pass("gzip#{level}.gz") do
    io = StringIO.new(''.b)
    2.times do |n|
      gz = Zlib::GzipWriter.new(io, level)
      gz.orig_name = "name#{n}"
      gz.comment = 'a comment'
      gz.mtime = 1_700_000_000
      gz.write(TEXT[0, 100])
      gz.flush
      gz.print(TEXT[100..])
      gz.finish
    end
    io.string
  end
  check(Zlib::GzipReader.zcat(StringIO.new(data)) == TEXT * 2, "two members at #{level}")
  gz = Zlib::GzipReader.new(StringIO.new(data))
  check(gz.orig_name == 'name0' && gz.comment == 'a comment' && gz.mtime.to_i == 1_700_000_000, 'header')
  check(gz.gets == "line 0 of the text, 0\n" && gz.read(5) == 'line ' && gz.getc == '1', 'reading')
  check(gz.read.size == TEXT.size - 28 && gz.eof? && gz.crc == Zlib.crc32(TEXT), 'the end')
  gz.rewind
  check(gz.each_line.count == 9000, 'lines after rewind')
  check(data.byteslice(data.size / 2..).start_with?(gz.unused), 'unused input')
  check(Zlib.gunzip(Zlib.gzip(TEXT, level: level)) == TEXT && Zlib.inflate(Zlib.deflate(TEXT, level)) == TEXT, 'in one call')
end
damaged = Zlib.deflate(TEXT)
damaged.setbyte(1000, damaged.getbyte(1000) ^ 64)
begin
  Zlib.inflate(damaged)
  check(false, 'damage is not seen')
rescue Zlib::DataError
end
begin
  Zlib.inflate(Zlib.deflate(TEXT)[0..-4])
  check(false, 'a cut stream is not seen')
rescue Zlib::BufError
end
i = Zlib::Inflate.new(-15)
stream = Zlib::Deflate.new(6, -15)
packed = stream.deflate(TEXT, Zlib::FULL_FLUSH) << stream.deflate(TEXT, Zlib::FINISH)
check(i.inflate(packed) == TEXT * 2, 'two halves')
check(Zlib.crc32('abc') == 0x352441c2 && Zlib.adler32('abc') == 0x024d0127, 'checksums')
check(Zlib.crc32_combine(Zlib.crc32('ab'), Zlib.crc32('cde'), 3) == Zlib.crc32('abcde'), 'crc32_combine')
check(Zlib.adler32_combine(Zlib.adler32('ab'), Zlib.adler32('cde'), 3) == Zlib.adler32('abcde'), 'adler32_combine')
check(Zlib.crc_table[1] == 0x77073096 && Zlib.crc_table.size == 256, 'crc_table')
puts "ruby: #{MODE}, #{$count} checks, zlib #{Zlib.zlib_version}"
