package dev.mailroom.worker.smtp.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

import dev.mailroom.inbound.ArrivedMail;
import org.apache.james.mime4j.codec.DecodeMonitor;
import org.apache.james.mime4j.dom.address.Mailbox;
import org.apache.james.mime4j.dom.field.AddressListField;
import org.apache.james.mime4j.dom.field.MailboxListField;
import org.apache.james.mime4j.dom.field.ParsedField;
import org.apache.james.mime4j.dom.field.UnstructuredField;
import org.apache.james.mime4j.field.LenientFieldParser;
import org.apache.james.mime4j.stream.Field;
import org.jspecify.annotations.Nullable;

/** Collects the header fields of a mail that are stored with it. */
final class HeaderReader {

	/** Limit on the stored addresses of one list of recipients. */
	private static final int MAX_ADDRESSES = 500;

	private static final int MAX_ADDRESS_LENGTH = 320;

	/** Limit on the authors of all From fields. */
	private static final int MAX_AUTHORS = 100;

	/** Limit on all fields together, in characters; others are ignored. */
	private static final int MAX_HEADER_LENGTH = 500_000;

	private static final int MAX_LINE_LENGTH = 2000;

	private final List<Mailbox> from = new ArrayList<>();

	private final List<String> to = new ArrayList<>();

	private final List<String> cc = new ArrayList<>();

	private int fromFields;

	private int length;

	/** Whether authors or fields beyond the limits were ignored. */
	private boolean truncated;

	private String subject = "";

	private @Nullable String messageId;

	void read(Field field) {
		this.length += field.getName().length() + field.getBody().length();
		if (this.length > MAX_HEADER_LENGTH) {
			this.truncated = true;
			return;
		}
		switch (field.getName().toLowerCase(Locale.ROOT)) {
			case "from" -> {
				this.fromFields++;
				if (parsed(field) instanceof MailboxListField list && list.getMailboxList() != null) {
					List<Mailbox> authors = list.getMailboxList();
					int added = Math.min(authors.size(), MAX_AUTHORS - this.from.size());
					this.from.addAll(authors.subList(0, added));
					this.truncated |= added < authors.size();
				}
			}
			case "to" -> addresses(field, this.to);
			case "cc" -> addresses(field, this.cc);
			case "subject" -> {
				if (parsed(field) instanceof UnstructuredField line) {
					this.subject = line(line.getValue());
				}
			}
			case "message-id" -> this.messageId = line(field.getBody());
			default -> {
			}
		}
	}

	/**
	 * The collected fields.
	 * @param sender return path, used if From is missing
	 */
	ArrivedMail.Heading heading(String sender) {
		List<String> authors = this.from.stream().map(HeaderReader::address).toList();
		String name = this.from.isEmpty() ? "" : line(this.from.getFirst().getName());
		return new ArrivedMail.Heading(authors.isEmpty() ? sender : authors.getFirst(), name, List.copyOf(this.to),
				List.copyOf(this.cc), this.subject);
	}

	/**
	 * Domains of all authors. A mail has one From field (RFC 5322 section 3.6). A second
	 * one may have been added above a signed one, so that it adds an empty domain, which
	 * fails DMARC. So do authors or fields beyond the limits.
	 */
	List<String> authors() {
		Stream<String> domains = this.from.stream().map((mailbox) -> line(mailbox.getDomain()));
		return Stream.concat(domains, (this.fromFields > 1 || this.truncated) ? Stream.of("") : Stream.empty())
			.distinct()
			.toList();
	}

	@Nullable String messageId() {
		return (this.messageId == null || this.messageId.isEmpty()) ? null : this.messageId;
	}

	private static void addresses(Field field, List<String> target) {
		if (parsed(field) instanceof AddressListField list && list.getAddressList() != null) {
			list.getAddressList()
				.flatten()
				.stream()
				.map(HeaderReader::address)
				.filter((address) -> !address.isEmpty() && address.length() <= MAX_ADDRESS_LENGTH)
				.limit(MAX_ADDRESSES - target.size())
				.forEach(target::add);
		}
	}

	private static ParsedField parsed(Field field) {
		return LenientFieldParser.getParser().parse(field, DecodeMonitor.SILENT);
	}

	private static String address(Mailbox mailbox) {
		return line(mailbox.getAddress());
	}

	/**
	 * Text in one line without control characters and the line separators of Unicode,
	 * limited in length.
	 */
	private static String line(@Nullable String text) {
		String clean = Objects.requireNonNullElse(text, "").replaceAll("[\\p{Cc}\\u2028\\u2029]+", " ").strip();
		return clean.codePoints()
			.limit(MAX_LINE_LENGTH)
			.filter((character) -> Character.getType(character) != Character.SURROGATE)
			.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
			.toString();
	}

}
