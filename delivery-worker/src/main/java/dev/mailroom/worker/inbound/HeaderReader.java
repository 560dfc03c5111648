package dev.mailroom.worker.inbound;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

import dev.mailroom.inbound.ReceivedMail;
import org.apache.james.mime4j.codec.DecodeMonitor;
import org.apache.james.mime4j.dom.address.Mailbox;
import org.apache.james.mime4j.dom.field.AddressListField;
import org.apache.james.mime4j.dom.field.MailboxListField;
import org.apache.james.mime4j.dom.field.ParsedField;
import org.apache.james.mime4j.dom.field.UnstructuredField;
import org.apache.james.mime4j.field.LenientFieldParser;
import org.apache.james.mime4j.stream.Field;
import org.jspecify.annotations.Nullable;

/** Finds in a mail's own header what lists show of it. */
final class HeaderReader {

	/** No person writes to more, and a list of strangers' making must end somewhere. */
	private static final int MOST_ADDRESSES = 500;

	private static final int LONGEST_ADDRESS = 320;

	private static final int LONGEST_LINE = 2000;

	private final List<Mailbox> from = new ArrayList<>();

	private final List<String> to = new ArrayList<>();

	private final List<String> cc = new ArrayList<>();

	private int fromFields;

	private String subject = "";

	private @Nullable String messageId;

	void read(Field field) {
		switch (field.getName().toLowerCase(Locale.ROOT)) {
			case "from" -> {
				this.fromFields++;
				if (parsed(field) instanceof MailboxListField list && list.getMailboxList() != null) {
					this.from.addAll(list.getMailboxList());
				}
			}
			case "to" -> addresses(field, this.to);
			case "cc" -> addresses(field, this.cc);
			case "subject" -> {
				if (parsed(field) instanceof UnstructuredField line) {
					this.subject = line(line.getValue());
				}
			}
			case "message-id" -> this.messageId = Objects.requireNonNullElse(field.getBody(), "").strip();
			default -> {
			}
		}
	}

	/**
	 * All that was found.
	 * @param sender of the envelope, who stands for an author that is not named
	 */
	ReceivedMail.Heading heading(String sender) {
		List<String> named = this.from.stream().map(HeaderReader::address).toList();
		String name = this.from.isEmpty() ? "" : line(this.from.getFirst().getName());
		return new ReceivedMail.Heading(named.isEmpty() ? sender : named.getFirst(), name, List.copyOf(this.to),
				List.copyOf(this.cc), this.subject);
	}

	/**
	 * The domains of all who are named as authors. A mail has one From (RFC 5322 3.6): a
	 * second is put above one that is signed, and makes an author whom nobody knows.
	 */
	List<String> authors() {
		Stream<String> named = this.from.stream().map((each) -> Objects.requireNonNullElse(each.getDomain(), ""));
		return Stream.concat(named, (this.fromFields > 1) ? Stream.of("") : Stream.empty()).distinct().toList();
	}

	@Nullable String messageId() {
		return (this.messageId == null || this.messageId.isEmpty()) ? null : this.messageId;
	}

	private static void addresses(Field field, List<String> found) {
		if (parsed(field) instanceof AddressListField list && list.getAddressList() != null) {
			list.getAddressList()
				.flatten()
				.stream()
				.map(HeaderReader::address)
				.filter((address) -> !address.isEmpty() && address.length() <= LONGEST_ADDRESS)
				.limit(MOST_ADDRESSES - found.size())
				.forEach(found::add);
		}
	}

	private static ParsedField parsed(Field field) {
		return LenientFieldParser.getParser().parse(field, DecodeMonitor.SILENT);
	}

	private static String address(Mailbox mailbox) {
		return line(mailbox.getAddress());
	}

	/** A stranger's words on one line: no control stays, and their number is bounded. */
	private static String line(@Nullable String text) {
		String words = Objects.requireNonNullElse(text, "").replaceAll("\\p{Cntrl}+", " ").strip();
		return words.codePoints()
			.limit(LONGEST_LINE)
			.filter((each) -> Character.getType(each) != Character.SURROGATE)
			.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
			.toString();
	}

}
