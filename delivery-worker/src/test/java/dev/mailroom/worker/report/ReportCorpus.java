package dev.mailroom.worker.report;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Made-up reports and the mails that bring them. */
public final class ReportCorpus {

	private ReportCorpus() {
	}

	/** Begin of the period of all reports: yesterday. */
	public static Instant begin() {
		return Instant.now().truncatedTo(ChronoUnit.DAYS).minus(1, ChronoUnit.DAYS);
	}

	/** End of the period. */
	public static Instant end() {
		return begin().plus(1, ChronoUnit.DAYS).minusSeconds(1);
	}

	/** A report of a file about a domain. */
	public static String xml(String file, String domain, String id) {
		try (InputStream text = Objects
			.requireNonNull(ReportCorpus.class.getResourceAsStream("/reports/" + file + ".xml"))) {
			return new String(text.readAllBytes(), StandardCharsets.UTF_8).replace(">ID<", ">" + id + "<")
				.replace("BEGIN", Long.toString(begin().getEpochSecond()))
				.replace("END", Long.toString(end().getEpochSecond()))
				.replace("DOMAIN", domain);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** A text of many equal bytes. */
	public static byte[] repeated(String text, int times) {
		return text.repeat(times).getBytes(StandardCharsets.UTF_8);
	}

	/** Content packed by gzip. */
	public static byte[] gzip(byte[] content) {
		return written((bytes) -> {
			try (OutputStream gzip = new GZIPOutputStream(bytes)) {
				gzip.write(content);
			}
		});
	}

	/** A zip archive with some members of the same content. */
	public static byte[] zip(byte[] content, int members) {
		return written((bytes) -> {
			try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
				for (int i = 0; i < members; i++) {
					zip.putNextEntry(new ZipEntry(i + ".xml"));
					zip.write(content);
				}
			}
		});
	}

	/** A mail with a text and an attachment. */
	public static String mail(String author, String type, byte[] attachment) {
		return """
				From: %s
				To: reports@platform.test
				Subject: Report Domain: a.test Submitter: receiver.test
				MIME-Version: 1.0
				Content-Type: multipart/mixed; boundary="b"

				--b
				Content-Type: text/plain

				This is an aggregate report.
				--b
				Content-Type: %s
				Content-Transfer-Encoding: base64

				%s
				--b--
				""".formatted(author, type, Base64.getMimeEncoder(76, new byte[] { 10 }).encodeToString(attachment));
	}

	/** A mail that is a report as a whole, without parts. */
	public static String bare(String author, byte[] content) {
		return """
				From: %s
				Subject: Report
				Content-Type: application/octet-stream
				Content-Transfer-Encoding: base64

				%s
				""".formatted(author, Base64.getMimeEncoder(76, new byte[] { 10 }).encodeToString(content));
	}

	private static byte[] written(Writing writing) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try {
			writing.write(bytes);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return bytes.toByteArray();
	}

	private interface Writing {

		void write(OutputStream bytes) throws IOException;

	}

}
