package dev.mailroom.worker.submission;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;

import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.idempotency.Claim;
import dev.mailroom.submission.HeaderRules;
import dev.mailroom.submission.Submission;
import dev.mailroom.worker.smtpd.SmtpMail;
import jakarta.mail.Header;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeUtility;
import org.jspecify.annotations.Nullable;

/**
 * A message that came in, read as what POST /emails would have been asked for.
 *
 * @param key its Idempotency-Key, or null where it has none
 */
record SubmittedMessage(Submission submission, @Nullable String key) {

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
	 * Reads a message. Who gets it is the envelope's word; the headers only say who of
	 * them is shown.
	 * @throws dev.mailroom.Refused {@code Validation error} where it cannot be read
	 */
	static SubmittedMessage read(SmtpMail mail) {
		try {
			MimeMessage message = new MimeMessage(SESSION, MultipartReader.message(mail.content()));
			Recipients recipients = Recipients.of(mail.rcptTo(), addresses(message, "To"), addresses(message, "Cc"));
			MessageParts parts = MessageParts.of(message);
			List<String> from = texts(addresses(message, "From"));
			return new SubmittedMessage(new Submission(from.isEmpty() ? null : String.join(", ", from), recipients.to(),
					recipients.cc(), recipients.bcc(), new ArrayList<>(texts(addresses(message, "Reply-To"))),
					message.getSubject(), parts.html(), parts.text(), parts.files(), null, headers(message), null, null,
					null), key(message));
		}
		catch (MessagingException | IOException ex) {
			throw INVALID.because("The message cannot be read: " + ex.getMessage());
		}
	}

	/**
	 * The same claim for the same mail: its Message-ID, Date and boundaries are not in
	 * it.
	 */
	@Nullable Claim claim(Scope scope) {
		return (this.key != null) ? new Claim(scope.account(), "SMTP", this.key, hash()) : null;
	}

	private String hash() {
		try {
			byte[] whole = this.submission.toString().getBytes(StandardCharsets.UTF_8);
			return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(whole));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
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
		List<InternetAddress> found = new ArrayList<>();
		for (InternetAddress address : InternetAddress.parseHeader(MimeUtility.unfold(header), false)) {
			InternetAddress @Nullable [] members = address.isGroup() ? address.getGroup(false) : null;
			found.addAll((members != null) ? Arrays.asList(members) : List.of(address));
		}
		return found;
	}

	private static List<String> texts(List<InternetAddress> addresses) {
		return addresses.stream().map(Recipients::text).toList();
	}

	/** Those that a sender may set; what carries the mail itself is written anew. */
	private static Map<String, @Nullable String> headers(MimeMessage message) throws MessagingException, IOException {
		Map<String, @Nullable String> headers = new LinkedHashMap<>();
		for (Header header : Collections.list(message.getAllHeaders())) {
			if (HeaderRules.allowed(header.getName())) {
				headers.put(header.getName(), MimeUtility.decodeText(MimeUtility.unfold(header.getValue())).strip());
			}
		}
		return headers;
	}

}
