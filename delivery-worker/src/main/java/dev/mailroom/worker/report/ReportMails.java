package dev.mailroom.worker.report;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.zip.ZipException;

import dev.mailroom.dmarcreport.AggregateReport;
import dev.mailroom.tlsreport.TlsReport;
import dev.mailroom.worker.report.Unreadable.Reason;
import org.apache.james.mime4j.MimeException;
import org.apache.james.mime4j.codec.DecodeMonitor;
import org.apache.james.mime4j.stream.EntityState;
import org.apache.james.mime4j.stream.MimeConfig;
import org.apache.james.mime4j.stream.MimeTokenStream;
import org.apache.james.mime4j.stream.RecursionMode;

/** Finds and reads the report in a mail. */
public final class ReportMails {

	private static final int MAX_BYTES = 10 * 1024 * 1024;

	private static final int MAX_PARTS = 20;

	/** Bytes at the beginning of a plain part that are searched for the root element. */
	private static final int MAX_PROLOGUE = 4096;

	/** Begin of a report about TLS, without that of a text in braces. */
	private static final Pattern OBJECT = Pattern.compile("^(\\u00ef\\u00bb\\u00bf)?\\s*\\{\\s*\"");

	private static final Pattern ROOT = Pattern.compile("<([\\w.-]+:)?feedback[\\s>]");

	private static final MimeConfig LIMITS = MimeConfig.custom()
		.setMaxLineLen(-1)
		.setMaxHeaderLen(100_000)
		.setMaxHeaderCount(1000)
		.build();

	private ReportMails() {
	}

	/**
	 * Reads the first part that may be a report of DMARC, judged by its bytes and not by
	 * its media type.
	 */
	public static AggregateReport read(byte[] mail, Instant now) throws Unreadable {
		return read(part(mail, ROOT.asPredicate()), Reason.NOT_XML, (xml) -> AggregateParser.parse(xml, now));
	}

	/** Reads the first part that may be a report about TLS. */
	public static TlsReport readTls(byte[] mail, Instant now) throws Unreadable {
		return read(part(mail, OBJECT.asPredicate()), Reason.NOT_JSON, (json) -> TlsReportParser.parse(json, now));
	}

	private static <T> T read(byte[] part, Reason otherwise, Parser<T> parser) throws Unreadable {
		try (InputStream content = Unpacked.of(part)) {
			return parser.parse(content);
		}
		catch (Unreadable ex) {
			throw ex;
		}
		catch (ZipException | EOFException _) {
			throw new Unreadable(Reason.NOT_PACKED, "The archive is broken or encrypted");
		}
		catch (IOException | RuntimeException _) {
			throw new Unreadable(otherwise, "The report cannot be read");
		}
	}

	private static byte[] part(byte[] mail, Predicate<String> begin) throws Unreadable {
		if (mail.length > MAX_BYTES) {
			throw new Unreadable(Reason.TOO_LARGE, "The mail has more than " + MAX_BYTES + " bytes");
		}
		MimeTokenStream tokens = new MimeTokenStream(LIMITS, DecodeMonitor.SILENT, null);
		tokens.setRecursionMode(RecursionMode.M_NO_RECURSE);
		try {
			tokens.parse(new ByteArrayInputStream(mail));
			int parts = 0;
			for (EntityState state = tokens.getState(); state != EntityState.T_END_OF_STREAM
					&& parts < MAX_PARTS; state = tokens.next()) {
				if (state == EntityState.T_BODY) {
					parts++;
					byte[] content = content(tokens);
					if (mayBeReport(content, begin)) {
						return content;
					}
				}
			}
		}
		catch (IOException | MimeException | RuntimeException _) {
			throw new Unreadable(Reason.NO_REPORT, "The parts of the mail cannot be read");
		}
		throw new Unreadable(Reason.NO_REPORT, "No part of the mail is a report, gzip or zip");
	}

	private static byte[] content(MimeTokenStream tokens) throws IOException {
		try (InputStream content = tokens.getDecodedInputStream()) {
			return content.readAllBytes();
		}
	}

	private static boolean mayBeReport(byte[] part, Predicate<String> begin) {
		return Unpacked.isGzip(part) || Unpacked.isZip(part)
				|| begin.test(new String(part, 0, Math.min(part.length, MAX_PROLOGUE), StandardCharsets.ISO_8859_1));
	}

	/** Reads a report from its unpacked content. */
	private interface Parser<T> {

		T parse(InputStream content) throws IOException;

	}

}
