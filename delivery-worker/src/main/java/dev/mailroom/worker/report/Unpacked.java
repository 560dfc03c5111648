package dev.mailroom.worker.report;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;

import dev.mailroom.worker.report.Unreadable.Reason;

/**
 * The content of a part: plain, or unpacked from gzip or from a zip archive with one
 * member, as its first bytes say. The bytes, their ratio to those of the part, and the
 * time are limited.
 */
final class Unpacked extends FilterInputStream {

	private static final int MAX_BYTES = 25 * 1024 * 1024;

	private static final int MAX_RATIO = 200;

	private static final Duration MAX_TIME = Duration.ofSeconds(5);

	/** Bytes after which the ratio counts: short texts may repeat themselves. */
	private static final int MIN_BYTES = 64 * 1024;

	private final long deadline = System.nanoTime() + MAX_TIME.toNanos();

	private final int packedBytes;

	private long count;

	private Unpacked(InputStream content, int packedBytes) {
		super(content);
		this.packedBytes = packedBytes;
	}

	static InputStream of(byte[] part) throws IOException {
		InputStream bytes = new ByteArrayInputStream(part);
		if (isGzip(part)) {
			return new Unpacked(new GZIPInputStream(bytes), part.length);
		}
		if (isZip(part)) {
			return new Unpacked(new OnlyMember(new ZipInputStream(bytes)), part.length);
		}
		return new Unpacked(bytes, part.length);
	}

	static boolean isGzip(byte[] part) {
		return startsWith(part, 0x1f, 0x8b);
	}

	static boolean isZip(byte[] part) {
		return startsWith(part, 'P', 'K', 3, 4);
	}

	private static boolean startsWith(byte[] part, int... magic) {
		for (int i = 0; i < magic.length; i++) {
			if (part.length <= i || (part[i] & 0xff) != magic[i]) {
				return false;
			}
		}
		return true;
	}

	@Override
	public int read() throws IOException {
		byte[] one = new byte[1];
		return (read(one, 0, 1) < 0) ? -1 : one[0] & 0xff;
	}

	@Override
	public int read(byte[] target, int offset, int length) throws IOException {
		int read = unpack(target, offset, length);
		this.count += Math.max(0, read);
		if (this.count > MAX_BYTES) {
			throw new Unreadable(Reason.TOO_LARGE, "The unpacked report has more than " + MAX_BYTES + " bytes");
		}
		if (this.count > Math.max(MIN_BYTES, (long) this.packedBytes * MAX_RATIO)) {
			throw new Unreadable(Reason.BOMB, "The unpacked report is " + MAX_RATIO + " times as large as the archive");
		}
		if (System.nanoTime() - this.deadline > 0) {
			throw new Unreadable(Reason.TOO_SLOW, "Reading took more than " + MAX_TIME.toSeconds() + " s");
		}
		return read;
	}

	/** An end of the archive before its time would else be that of the report. */
	private int unpack(byte[] target, int offset, int length) throws IOException {
		try {
			return this.in.read(target, offset, length);
		}
		catch (ZipException | EOFException _) {
			throw new Unreadable(Reason.NOT_PACKED, "The archive is broken or encrypted");
		}
	}

	/** The only member of a zip archive. */
	private static final class OnlyMember extends FilterInputStream {

		private final ZipInputStream zip;

		OnlyMember(ZipInputStream zip) throws IOException {
			super(zip);
			this.zip = zip;
			if (zip.getNextEntry() == null) {
				throw new ZipException("The archive has no member");
			}
		}

		@Override
		public int read(byte[] target, int offset, int length) throws IOException {
			int read = this.zip.read(target, offset, length);
			if (read < 0 && this.zip.getNextEntry() != null) {
				throw new Unreadable(Reason.SEVERAL_MEMBERS, "The archive has several members");
			}
			return read;
		}

	}

}
