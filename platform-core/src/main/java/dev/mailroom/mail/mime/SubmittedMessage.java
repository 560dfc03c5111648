package dev.mailroom.mail.mime;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.mailroom.EmailAddress;
import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.mail.accept.Claim;
import dev.mailroom.mail.draft.HeaderRules;
import dev.mailroom.mail.draft.MailContent;
import dev.mailroom.mail.draft.Submission;
import dev.mailroom.secret.Sha256;
import jakarta.mail.Header;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeUtility;
import org.jspecify.annotations.Nullable;

/**
 * A message (RFC 5322) submitted over SMTP or HTTP, read as a submission.
 *
 * @param key the value of its Idempotency-Key header; null if it has none
 */
public record SubmittedMessage(Submission submission, @Nullable String key) {

	private static final Refusal INVALID = Refusal.invalid("Validation error");

	private static final String KEY = "Idempotency-Key";

	private static final Pattern KEY_FORM = Pattern.compile("[\\x20-\\x7e]{1,256}");

	private static final Session SESSION = Session.getInstance(settings());

	private static Properties settings() {
		Properties properties = new Properties();
		properties.setProperty("mail.mime.allowutf8", "true");
		properties.setProperty("mail.mime.address.strict", "false");
		return properties;
	}

	/**
	 * Reads a message. The envelope names its recipients; To and Cc only determine which
	 * of them are shown.
	 * @param envelope the recipients; empty if they are those of To, Cc and Bcc
	 * @param content the message, which is not copied
	 * @param sendAt the time at which to send it; null if at once
	 * @throws dev.mailroom.Refused {@code Validation error} if it cannot be read
	 */
	public static SubmittedMessage read(List<String> envelope, byte[] content, @Nullable String sendAt) {
		try {
			MimeMessage message = new MimeMessage(SESSION, MessageParts.stream(content));
			Recipients recipients = Recipients.of(envelope, message);
			MessageParts parts = MessageParts.of(message);
			List<String> from = texts(addresses(message, "From"));
			@Nullable String sender = from.isEmpty() ? null : String.join(", ", from);
			MailContent body = MailContent.of(message.getSubject(), parts.html(), parts.text())
				.withAttachments(parts.files())
				.withHeaders(headers(message));
			return new SubmittedMessage(
					new Submission(sender, recipients.to(), recipients.cc(), recipients.bcc(),
							new ArrayList<>(texts(addresses(message, "Reply-To"))), body, null, sendAt, null),
					key(message));
		}
		catch (MessagingException | IOException ex) {
			throw INVALID.because("The message cannot be read: " + ex.getMessage());
		}
		catch (Refused refused) {
			throw refused;
		}
		catch (RuntimeException _) {
			// The mail library's decoders fail in many ways on malformed content.
			throw INVALID.because("The message cannot be read: its encoding is malformed");
		}
	}

	/**
	 * The message's claim of its Idempotency-Key, or of that of its request; null if
	 * there is none. Its hash ignores Message-ID, Date and the boundaries of parts, which
	 * differ between attempts.
	 * @param route the way by which it arrived
	 * @param requested the key of the request, which takes precedence; null if it has
	 * none
	 */
	public @Nullable Claim claim(Scope scope, String route, @Nullable String requested) {
		@Nullable String key = (requested != null) ? requested : this.key;
		return (key != null) ? new Claim(scope.account(), route, key, Sha256.hex(this.submission.toString())) : null;
	}

	private static @Nullable String key(MimeMessage message) throws MessagingException {
		@Nullable String key = message.getHeader(KEY, null);
		if (key != null && !KEY_FORM.matcher(key).matches()) {
			throw INVALID.because(KEY + " must be 1 to 256 printable characters");
		}
		return key;
	}

	private static List<InternetAddress> addresses(MimeMessage message, String name) throws MessagingException {
		@Nullable String header = message.getHeader(name, ",");
		if (header == null) {
			return List.of();
		}
		List<InternetAddress> mailboxes = new ArrayList<>();
		for (InternetAddress address : InternetAddress.parseHeader(MimeUtility.unfold(header), false)) {
			InternetAddress @Nullable [] members = address.isGroup() ? address.getGroup(false) : null;
			mailboxes.addAll((members != null) ? Arrays.asList(members) : List.of(address));
		}
		return mailboxes;
	}

	private static List<String> texts(List<InternetAddress> addresses) {
		return addresses.stream().map(Recipients::text).toList();
	}

	/** The headers that a sender may set; the others are written by the platform. */
	private static Map<String, String> headers(MimeMessage message) throws MessagingException, IOException {
		Map<String, String> headers = new LinkedHashMap<>();
		for (Header header : Collections.list(message.getAllHeaders())) {
			if (HeaderRules.isAllowed(header.getName())) {
				headers.put(header.getName(), MimeUtility.decodeText(MimeUtility.unfold(header.getValue())).strip());
			}
		}
		return headers;
	}

	/**
	 * Recipients of a submitted message. Only the envelope's recipients get the mail;
	 * those that are also in To or Cc are shown there, and the others are blind copies.
	 */
	private record Recipients(List<@Nullable String> to, List<@Nullable String> cc, List<@Nullable String> bcc) {

		static Recipients of(List<String> envelope, MimeMessage message) throws MessagingException {
			List<InternetAddress> to = addresses(message, "To");
			List<InternetAddress> cc = addresses(message, "Cc");
			Stream<String> named = !envelope.isEmpty() ? envelope.stream()
					: Stream.of(to, cc, addresses(message, "Bcc"))
						.flatMap(List::stream)
						.map((address) -> String.valueOf(address.getAddress()));
			Map<String, String> remaining = new LinkedHashMap<>();
			named.forEach((address) -> remaining.putIfAbsent(key(address), address));
			List<@Nullable String> visibleTo = visible(remaining, to);
			List<@Nullable String> visibleCc = visible(remaining, cc);
			List<@Nullable String> hidden = new ArrayList<>(remaining.values());
			if (visibleTo.isEmpty() && !visibleCc.isEmpty()) {
				return new Recipients(visibleCc, visibleTo, hidden);
			}
			// The only recipient of a mail may be shown in it.
			return (visibleTo.isEmpty() && hidden.size() == 1) ? new Recipients(hidden, visibleCc, visibleTo)
					: new Recipients(visibleTo, visibleCc, hidden);
		}

		private static List<@Nullable String> visible(Map<String, String> remaining, List<InternetAddress> header) {
			List<@Nullable String> visible = new ArrayList<>();
			for (InternetAddress address : header) {
				@Nullable String envelope = remaining.remove(key(String.valueOf(address.getAddress())));
				if (envelope != null) {
					visible.add(text(address.getPersonal(), envelope));
				}
			}
			return visible;
		}

		/** {@code Name <address>} with the decoded name, or the address. */
		static String text(InternetAddress address) {
			return text(address.getPersonal(), String.valueOf(address.getAddress()));
		}

		private static String text(@Nullable String name, String address) {
			return (name == null || name.isBlank()) ? address : name + " <" + address + ">";
		}

		private static String key(String address) {
			return EmailAddress.parse(address).map(EmailAddress::key).orElse(address);
		}

	}

}
