package dev.mailroom.worker.submission;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import dev.mailroom.email.Submission;
import org.apache.james.mime4j.codec.DecodeMonitor;
import org.apache.james.mime4j.codec.DecoderUtil;
import org.apache.james.mime4j.dom.Message;
import org.apache.james.mime4j.dom.address.Address;
import org.apache.james.mime4j.dom.address.AddressList;
import org.apache.james.mime4j.dom.address.Mailbox;
import org.apache.james.mime4j.dom.address.MailboxList;
import org.apache.james.mime4j.message.DefaultMessageBuilder;
import org.apache.james.mime4j.stream.Field;
import org.apache.james.mime4j.stream.MimeConfig;
import org.apache.james.mime4j.util.MimeUtil;
import org.jspecify.annotations.Nullable;

/**
 * A submitted mail in the words of POST /emails. Who gets it is the envelope's to say;
 * the header only tells who of them is shown as To and Cc, and whoever it does not name
 * is a blind copy.
 */
final class SubmittedMail {

	private static final MimeConfig LIMITS = MimeConfig.custom()
		.setMaxLineLen(-1)
		.setMaxHeaderLen(100_000)
		.setMaxHeaderCount(1000)
		.build();

	private final Message message;

	/**
	 * Those of the envelope who are not yet given a place, by their address in lower
	 * case.
	 */
	private final Map<String, String> unplaced = new LinkedHashMap<>();

	private SubmittedMail(Message message, List<String> recipients) {
		this.message = message;
		recipients.forEach((recipient) -> this.unplaced.putIfAbsent(recipient.toLowerCase(Locale.ROOT), recipient));
	}

	/**
	 * Reads a mail.
	 * @param raw header and body, as they came behind DATA
	 * @param recipients of the envelope
	 * @throws Unreadable where it is no mail, or nested beyond reason
	 */
	static Submission read(byte[] raw, List<String> recipients) throws Unreadable {
		DefaultMessageBuilder builder = new DefaultMessageBuilder();
		builder.setMimeEntityConfig(LIMITS);
		builder.setDecodeMonitor(DecodeMonitor.SILENT);
		try {
			Message message = builder.parseMessage(new ByteArrayInputStream(raw));
			try {
				return new SubmittedMail(message, recipients).submission();
			}
			finally {
				message.dispose();
			}
		}
		catch (IOException | RuntimeException ex) {
			throw new Unreadable("The mail cannot be read as MIME", ex);
		}
	}

	private Submission submission() throws IOException, Unreadable {
		SubmittedParts parts = SubmittedParts.of(this.message);
		List<@Nullable String> to = placed(this.message.getTo());
		List<@Nullable String> cc = placed(this.message.getCc());
		List<@Nullable String> rest = new ArrayList<>(this.unplaced.values());
		// One alone learns nothing of others when the mail shows who it is for.
		boolean alone = to.isEmpty() && cc.isEmpty() && rest.size() == 1;
		return new Submission(from(), alone ? rest : to, cc, alone ? List.of() : rest, shown(this.message.getReplyTo()),
				this.message.getSubject(), parts.html(), parts.text(), parts.files(), null, headers(), null, null,
				null);
	}

	/**
	 * Several authors are handed on as they are: no address at all, and refused as such.
	 */
	private @Nullable String from() {
		if (this.message.getFrom() == null) {
			return null;
		}
		return String.join(", ", this.message.getFrom().stream().map(SubmittedMail::shown).toList());
	}

	/** Those of a header's addresses that the envelope names. */
	private List<@Nullable String> placed(@Nullable AddressList header) {
		List<@Nullable String> placed = new ArrayList<>();
		for (Mailbox mailbox : (header != null) ? header.flatten() : new MailboxList()) {
			if (this.unplaced.remove(mailbox.getAddress().toLowerCase(Locale.ROOT)) != null) {
				placed.add(shown(mailbox));
			}
		}
		return placed;
	}

	private static List<@Nullable String> shown(@Nullable AddressList header) {
		List<@Nullable String> shown = new ArrayList<>();
		for (Mailbox mailbox : (header != null) ? header.flatten() : new MailboxList()) {
			shown.add(shown(mailbox));
		}
		return shown;
	}

	private static String shown(Address address) {
		if (!(address instanceof Mailbox mailbox)) {
			return address.toString();
		}
		@Nullable String name = mailbox.getName();
		return (name == null || name.isBlank()) ? mailbox.getAddress() : name + " <" + mailbox.getAddress() + ">";
	}

	/** What a sender may add; what carries a mail is ours, and left out here. */
	private Map<String, @Nullable String> headers() {
		Map<String, @Nullable String> headers = new LinkedHashMap<>();
		Set<String> seen = new LinkedHashSet<>();
		for (Field field : this.message.getHeader().getFields()) {
			if (Submission.mayCarry(field.getName()) && seen.add(field.getName().toLowerCase(Locale.ROOT))) {
				String value = MimeUtil.unfold((field.getBody() != null) ? field.getBody() : "").strip();
				headers.put(field.getName(), DecoderUtil.decodeEncodedWords(value, DecodeMonitor.SILENT));
			}
		}
		return headers;
	}

}
