package dev.mailroom.worker.smtp.server;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

import org.apache.james.mime4j.MimeException;
import org.apache.james.mime4j.codec.DecodeMonitor;
import org.apache.james.mime4j.field.LenientFieldParser;
import org.apache.james.mime4j.message.DefaultBodyDescriptorBuilder;
import org.apache.james.mime4j.stream.EntityState;
import org.apache.james.mime4j.stream.MimeConfig;
import org.apache.james.mime4j.stream.MimeTokenStream;
import org.apache.james.mime4j.stream.RecursionMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Parses mail to feedback addresses. Reports are often truncated or malformed: the parts
 * before the error are used.
 */
final class ReturnedReader {

	private static final Logger log = LoggerFactory.getLogger(ReturnedReader.class);

	private static final int MAX_DEPTH = 8;

	private static final int MAX_PARTS = 40;

	/** Limit on the bytes read of each part. */
	private static final int MAX_PART_BYTES = 64 * 1024;

	private static final MimeConfig LIMITS = MimeConfig.custom()
		.setMaxLineLen(-1)
		.setMaxHeaderLen(100_000)
		.setMaxHeaderCount(1000)
		.build();

	private final Map<String, String> header = new HashMap<>();

	private List<ReportFields> status = List.of();

	private ReportFields feedback = ReportFields.NONE;

	private ReportFields original = ReportFields.NONE;

	private String text = "";

	private ReturnedReader() {
	}

	static ReturnedMail read(byte[] raw) {
		ReturnedReader reader = new ReturnedReader();
		try {
			reader.walk(raw);
		}
		catch (IOException | MimeException | RuntimeException ex) {
			log.debug("A feedback mail could be parsed only in part", ex);
		}
		return new ReturnedMail(new ReportFields(reader.header), reader.status, reader.feedback, reader.original,
				reader.text);
	}

	/** Walks the parts without descending into included mails. */
	private void walk(byte[] raw) throws IOException, MimeException {
		MimeTokenStream tokens = new MimeTokenStream(LIMITS, DecodeMonitor.SILENT,
				new DefaultBodyDescriptorBuilder(null, LenientFieldParser.getParser(), DecodeMonitor.SILENT));
		tokens.setRecursionMode(RecursionMode.M_NO_RECURSE);
		tokens.parse(new ByteArrayInputStream(raw));
		int depth = 0;
		int parts = 0;
		for (EntityState state = tokens.getState(); state != EntityState.T_END_OF_STREAM; state = tokens.next()) {
			if (state == EntityState.T_FIELD && depth == 0) {
				this.header.putIfAbsent(tokens.getField().getName().toLowerCase(Locale.ROOT),
						Objects.requireNonNullElse(tokens.getField().getBody(), "").strip());
			}
			else if (state == EntityState.T_START_MULTIPART) {
				depth++;
			}
			else if (state == EntityState.T_END_MULTIPART) {
				depth--;
			}
			else if (state == EntityState.T_BODY) {
				parts++;
				part(tokens);
			}
			if (depth > MAX_DEPTH || parts >= MAX_PARTS) {
				return;
			}
		}
	}

	private void part(MimeTokenStream tokens) throws IOException {
		switch (tokens.getBodyDescriptor().getMimeType().toLowerCase(Locale.ROOT)) {
			case "message/delivery-status", "message/global-delivery-status" -> {
				if (this.status.isEmpty()) {
					this.status = ReportFields.groups(content(tokens));
				}
			}
			case "message/feedback-report" -> this.feedback = ReportFields.header(content(tokens));
			case "message/rfc822", "message/global", "text/rfc822-headers", "message/global-headers" -> {
				if (this.original.values().isEmpty()) {
					this.original = ReportFields.header(content(tokens));
				}
			}
			case "text/plain", "text/html" -> {
				if (this.text.isEmpty()) {
					this.text = content(tokens);
				}
			}
			default -> {
			}
		}
	}

	private static String content(MimeTokenStream tokens) throws IOException {
		try (InputStream content = tokens.getDecodedInputStream()) {
			return new String(content.readNBytes(MAX_PART_BYTES), StandardCharsets.UTF_8);
		}
	}

}
