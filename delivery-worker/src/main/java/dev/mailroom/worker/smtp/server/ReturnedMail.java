package dev.mailroom.worker.smtp.server;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.mailroom.mail.outcome.MessageIdMatches;
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
 * A parsed mail to a feedback address.
 *
 * @param status fields of a delivery status notification: one group for the message and
 * one for each recipient
 * @param feedback fields of a complaint
 * @param original header of the original mail, if included
 * @param text text for people
 */
record ReturnedMail(ReportFields header, List<ReportFields> status, ReportFields feedback, ReportFields original,
		String text) {

	private static final Logger log = LoggerFactory.getLogger(ReturnedMail.class);

	/** Message-ID of the platform's mails, with the email's id. */
	private static final Pattern MESSAGE_ID = Pattern
		.compile("(?i)<?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@[^@<>\\s]+>?");

	/** Address; the lengths are limited to bound the cost of matching. */
	private static final Pattern ADDRESS = Pattern.compile("[^\\s<>;:,\"()@]{1,64}+@[^\\s<>;:,\"()@]{1,255}+");

	/** Fields with recipients (RFC 5965 section 3.2, RFC 3464 section 2.3). */
	private static final List<String> RECIPIENT_FIELDS = List.of("original-rcpt-to", "original-recipient",
			"final-recipient", "removal-recipient");

	/**
	 * Parses a mail; if it is truncated or malformed, the parts before the error are
	 * used.
	 */
	static ReturnedMail read(byte[] raw) {
		Reader reader = new Reader();
		try {
			reader.walk(raw);
		}
		catch (IOException | MimeException | RuntimeException ex) {
			log.debug("A feedback mail could be parsed only in part", ex);
		}
		return new ReturnedMail(new ReportFields(reader.header), reader.status, reader.feedback, reader.original,
				reader.text);
	}

	/** Whether the mail has a machine-readable part. */
	boolean isReport() {
		return !this.feedback.values().isEmpty() || !this.status.isEmpty();
	}

	/** The only address in From, in lower case; empty if there is none or several. */
	String author() {
		List<String> authors = addresses(Stream.of(this.header.get("from"))).toList();
		return (authors.size() == 1) ? authors.getFirst() : "";
	}

	/** The original mail's id from its Message-ID, and its recipients. */
	Optional<MessageIdMatches.Match> messageId() {
		Matcher id = MESSAGE_ID.matcher(this.original.get("message-id"));
		return id.matches() ? Optional.of(new MessageIdMatches.Match(UUID.fromString(id.group(1)), recipients()))
				: Optional.empty();
	}

	/**
	 * Whether the report may be about this recipient: it names an address of the same
	 * domain as the final recipient, or none. After forwarding, the final recipient is an
	 * address at another domain.
	 */
	boolean mayConcern(String recipient) {
		String domain = recipient.substring(recipient.lastIndexOf('@')).toLowerCase(Locale.ROOT);
		List<String> finalRecipients = addresses(this.status.stream().map((fields) -> fields.get("final-recipient")))
			.toList();
		return finalRecipients.isEmpty() || finalRecipients.stream().anyMatch((address) -> address.endsWith(domain));
	}

	/** Recipients that the report names; To of the original mail is not specific. */
	private Set<String> recipients() {
		return addresses(
				Stream.concat(Stream.of(this.original.get("x-hmxmroriginalrecipient")),
						Stream.concat(Stream.of(this.feedback), this.status.stream())
							.flatMap((fields) -> RECIPIENT_FIELDS.stream().map(fields::get))))
			.collect(Collectors.toSet());
	}

	private static Stream<String> addresses(Stream<String> values) {
		return values.flatMap((value) -> ADDRESS.matcher(value).results())
			.map(MatchResult::group)
			.map((address) -> address.toLowerCase(Locale.ROOT));
	}

	/**
	 * Parses mail to feedback addresses. Reports are often truncated or malformed: the
	 * parts before the error are used.
	 */
	private static final class Reader {

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

	/**
	 * Fields of a header or of a machine-readable part of a report.
	 *
	 * @param values by field name in lower case; the first of several
	 */
	record ReportFields(Map<String, String> values) {

		static final ReportFields NONE = new ReportFields(Map.of());

		/** Limit on the groups read: the message and each recipient. */
		private static final int MAX_GROUPS = 50;

		/** Parses groups of fields separated by blank lines (RFC 3464 section 2.1). */
		static List<ReportFields> groups(String text) {
			List<ReportFields> groups = new ArrayList<>();
			StringBuilder group = new StringBuilder();
			for (String line : (text.strip() + "\n\n").split("\r?\n", -1)) {
				if (!line.isBlank()) {
					group.append(line).append('\n');
				}
				else if (!group.isEmpty() && groups.size() <= MAX_GROUPS) {
					Map<String, String> values = new LinkedHashMap<>();
					unfolded(group).lines().forEach((field) -> read(field, values));
					group.setLength(0);
					if (!values.isEmpty()) {
						groups.add(new ReportFields(values));
					}
				}
			}
			return groups;
		}

		private static String unfolded(StringBuilder group) {
			return group.toString().replaceAll("\n[ \t]++", " ");
		}

		/** Parses a header: the fields up to the first blank line. */
		static ReportFields header(String text) {
			List<ReportFields> groups = groups(text);
			return groups.isEmpty() ? NONE : groups.getFirst();
		}

		private static void read(String line, Map<String, String> values) {
			int colon = Math.max(0, line.indexOf(':'));
			String name = line.substring(0, colon).strip();
			if (!name.isEmpty()) {
				values.putIfAbsent(name.toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
			}
		}

		/** Value of a field; empty if missing. */
		String get(String name) {
			return Objects.requireNonNullElse(this.values.get(name), "");
		}

		boolean has(String name) {
			return this.values.containsKey(name);
		}

		/** First word of a value, in lower case. */
		String word(String name) {
			return get(name).split("[\\s;(]", 2)[0].toLowerCase(Locale.ROOT);
		}

	}

}
