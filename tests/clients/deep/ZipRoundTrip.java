/* SPDX-License-Identifier: Zlib */
/* ZipRoundTrip write|read DIRECTORY - writes files in the ways java.util.zip knows, or reads what such a run wrote. */
import java.io.*;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.zip.*;

public class ZipRoundTrip {
	static final byte[] DICTIONARY = "line of the text, ".getBytes(StandardCharsets.US_ASCII);
	static byte[] text;
	static int count;

	static void check(boolean ok, String what) {
		count++;
		if (!ok) {
			System.err.println("not ok: " + what);
			System.exit(1);
		}
	}

	static byte[] deflate(int level, int strategy, boolean nowrap, int flush, boolean dictionary) {
		Deflater d = new Deflater(level, nowrap);
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		byte[] buffer = new byte[777];
		d.setStrategy(strategy);
		if (dictionary)
			d.setDictionary(DICTIONARY);
		for (int at = 0, n = 0; at < text.length; at += 10000, n++) {
			d.setInput(text, at, Math.min(10000, text.length - at));
			if (n == 7)
				d.setLevel(9 - Math.abs(level));
			if (n == 9)
				d.setStrategy(Deflater.HUFFMAN_ONLY);
			int got;
			do {      /* a call that changes parameters may give nothing and take nothing */
				got = d.deflate(buffer, 0, buffer.length, flush);
				out.write(buffer, 0, got);
			} while (got > 0 || !d.needsInput());
			check(d.needsInput(), "input is left");
		}
		d.finish();
		while (!d.finished())
			out.write(buffer, 0, d.deflate(buffer));
		check(d.getBytesRead() == text.length && d.getBytesWritten() == out.size(), "totals");
		d.end();
		return out.toByteArray();
	}

	static byte[] inflate(byte[] data, boolean nowrap, int piece) throws Exception {
		Inflater i = new Inflater(nowrap);
		ByteBuffer out = ByteBuffer.allocateDirect(text.length + 10);
		ByteBuffer in = ByteBuffer.allocateDirect(data.length + 8);
		in.put(data).put(new byte[8]).flip();
		while (!i.finished() && in.hasRemaining()) {
			ByteBuffer part = in.slice();
			part.limit(Math.min(piece, part.remaining()));
			i.setInput(part);
			int got;
			do {
				got = i.inflate(out);
				if (i.needsDictionary()) {
					i.setDictionary(DICTIONARY);
					got = 1;
				}
			} while (got > 0 && !i.finished());
			in.position(in.position() + part.position());
		}
		check(i.finished() && i.getBytesRead() == data.length && in.remaining() == 8, "what follows the stream is left");
		check(i.getBytesWritten() == text.length, "length");
		i.end();
		byte[] back = new byte[out.position()];
		out.flip();
		out.get(back);
		return back;
	}

	static void streams(boolean write, Path dir) throws Exception {
		int[] strategies = { Deflater.DEFAULT_STRATEGY, Deflater.FILTERED, Deflater.HUFFMAN_ONLY };
		int[] flushes = { Deflater.NO_FLUSH, Deflater.SYNC_FLUSH, Deflater.FULL_FLUSH };
		for (int level = -1; level <= 9; level++)
			for (int strategy : strategies)
				for (int flush : flushes)
					for (int nowrap = 0; nowrap < 2; nowrap++) {
						Path file = dir.resolve("s" + level + "_" + strategy + "_" + flush + "_" + nowrap);
						boolean dictionary = nowrap == 0 && strategy == Deflater.FILTERED;
						if (write)
							Files.write(file, deflate(level, strategy, nowrap == 1, flush, dictionary));
						byte[] data = Files.readAllBytes(file);
						for (int piece : new int[] { 97, 100000 })
							check(Arrays.equals(inflate(data, nowrap == 1, piece), text), file.toString());
					}
	}

	static void files(boolean write, Path dir) throws Exception {
		Path gz = dir.resolve("two.gz"), zip = dir.resolve("archive.zip");
		if (write) {
			try (OutputStream out = Files.newOutputStream(gz)) {
				for (int n = 0; n < 2; n++) {
					GZIPOutputStream member = new GZIPOutputStream(out, 100, true);
					for (int at = 0; at < text.length; at += 5000) {
						member.write(text, at, Math.min(5000, text.length - at));
						member.flush();
					}
					member.finish();
				}
			}
			try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
				for (int level = 0; level <= 9; level++) {
					out.setLevel(level);
					out.putNextEntry(new ZipEntry("level" + level));
					out.write(text);
					out.closeEntry();
				}
			}
		}
		try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(gz))) {
			byte[] back = in.readAllBytes();
			check(back.length == 2 * text.length && Arrays.equals(Arrays.copyOf(back, text.length), text), "two members");
		}
		try (ZipFile in = new ZipFile(zip.toFile())) {
			check(in.size() == 10, "entries");
			for (ZipEntry e : Collections.list(in.entries()))
				check(Arrays.equals(in.getInputStream(e).readAllBytes(), text), e.getName());
		}
		try (ZipInputStream in = new ZipInputStream(Files.newInputStream(zip))) {
			int n = 0;
			while (in.getNextEntry() != null) {
				check(Arrays.equals(in.readAllBytes(), text), "entry");
				n++;
			}
			check(n == 10, "entries of the stream");
		}
		byte[] damaged = Files.readAllBytes(gz);
		damaged[2000] ^= 64;
		try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(damaged))) {
			in.readAllBytes();
			check(false, "damage is not seen");
		} catch (ZipException e) {
			count++;
		}
	}

	public static void main(String[] args) throws Exception {
		StringBuilder b = new StringBuilder();
		for (int i = 0; i < 9000; i++)
			b.append("line ").append(i).append(" of the text, ").append(i * 7919 % 1000).append('\n');
		text = b.toString().getBytes(StandardCharsets.US_ASCII);
		Path dir = Paths.get(args[1]);
		streams(args[0].equals("write"), dir);
		files(args[0].equals("write"), dir);
		for (int n = 0; n < 20; n++) {      /* often enough to be compiled; the direct buffer goes through libz */
			CRC32 crc = new CRC32();
			Adler32 adler = new Adler32();
			ByteBuffer direct = ByteBuffer.allocateDirect(9);
			direct.put("123456789".getBytes(StandardCharsets.US_ASCII)).flip();
			crc.update(direct.duplicate());
			adler.update(direct);
			check(crc.getValue() == 0xcbf43926L && adler.getValue() == 0x091e01deL, "checksums");
		}
		System.out.println("java: " + args[0] + ", " + count + " checks");
	}
}
