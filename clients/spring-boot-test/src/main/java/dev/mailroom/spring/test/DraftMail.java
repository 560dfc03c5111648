package dev.mailroom.spring.test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

import jakarta.mail.Address;
import jakarta.mail.Header;
import jakarta.mail.Message.RecipientType;
import jakarta.mail.MessagingException;
import jakarta.mail.Multipart;
import jakarta.mail.Part;
import jakarta.mail.Session;
import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeUtility;
import org.jspecify.annotations.Nullable;

/**
 * A mail before the checks of the API.
 *
 * @param template whether a template gives what is missing
 */
record DraftMail(String from, List<String> to, List<String> cc, List<String> bcc, String subject, String text,
		String html, Map<String, String> headers, List<TestMail.Attachment> attachments, boolean template) {

	private static final int MAX_RECIPIENTS = 50;

	private static final int MAX_SUBJECT = 998;

	private static final int MAX_FILES = 10;

	private static final int MAX_BYTES = 10 * 1024 * 1024;

	/** Reads the body of POST /emails. */
	static DraftMail of(Map<String, Object> json) {
		Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
		if (json.get("headers") instanceof Map<?, ?> given) {
			given.forEach((name, value) -> headers.put(String.valueOf(name), String.valueOf(value)));
		}
		List<TestMail.Attachment> files = new ArrayList<>();
		if (json.get("attachments") instanceof List<?> given) {
			given.forEach((it) -> files.add(attachment((Map<?, ?>) it)));
		}
		return new DraftMail(text(json.get("from")), list(json.get("to")), list(json.get("cc")), list(json.get("bcc")),
				text(json.get("subject")), text(json.get("text")), text(json.get("html")), headers, files,
				json.get("template_id") != null);
	}

	private static TestMail.Attachment attachment(Map<?, ?> file) {
		String type = text(file.get("contentType"));
		return new TestMail.Attachment(text(file.get("filename")), type.isEmpty() ? "application/octet-stream" : type,
				Base64.getDecoder().decode(text(file.get("content"))));
	}

	private static String text(@Nullable Object value) {
		return Objects.toString(value, "");
	}

	private static List<String> list(@Nullable Object value) {
		return (value instanceof List<?> items) ? items.stream().map(DraftMail::text).toList()
				: (value != null) ? List.of(text(value)) : List.of();
	}

	/**
	 * Reads a message.
	 * @param envelope the recipients; empty for those of the header
	 */
	static DraftMail read(byte[] content, List<String> envelope) {
		try {
			MimeMessage message = new MimeMessage(Session.getInstance(new Properties()),
					new ByteArrayInputStream(content));
			Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
			for (Header header : Collections.list(message.getAllHeaders())) {
				headers.put(header.getName(), MimeUtility.decodeText(MimeUtility.unfold(header.getValue())));
			}
			Map<String, String> bodies = new LinkedHashMap<>();
			List<TestMail.Attachment> files = new ArrayList<>();
			collect(message, bodies, files);
			boolean named = envelope.isEmpty();
			List<String> to = named ? addresses(message, RecipientType.TO) : envelope;
			List<String> cc = named ? addresses(message, RecipientType.CC) : List.of();
			List<String> bcc = named ? addresses(message, RecipientType.BCC) : List.of();
			// As the server does, which shows the copies, or the only recipient.
			if (to.isEmpty() && !cc.isEmpty()) {
				to = cc;
				cc = List.of();
			}
			else if (to.isEmpty() && bcc.size() == 1) {
				to = bcc;
				bcc = List.of();
			}
			return new DraftMail(headers.getOrDefault("From", ""), to, cc, bcc, text(message.getSubject()),
					bodies.getOrDefault("text/plain", ""), bodies.getOrDefault("text/html", ""), headers, files, false);
		}
		catch (MessagingException | IOException ex) {
			throw new IllegalStateException("The message cannot be read", ex);
		}
	}

	private static List<String> addresses(MimeMessage message, RecipientType type) throws MessagingException {
		Address @Nullable [] found = message.getRecipients(type);
		return (found == null) ? List.of()
				: Stream.of(found)
					.map((it) -> (it instanceof InternetAddress one) ? one.toUnicodeString() : "")
					.toList();
	}

	private static void collect(Part part, Map<String, String> bodies, List<TestMail.Attachment> files)
			throws MessagingException, IOException {
		boolean attached = Part.ATTACHMENT.equalsIgnoreCase(part.getDisposition()) || part.getFileName() != null;
		if (part.getContent() instanceof Multipart parts) {
			for (int i = 0; i < parts.getCount(); i++) {
				collect(parts.getBodyPart(i), bodies, files);
			}
		}
		else if (!attached && part.getContent() instanceof String text) {
			bodies.merge(part.isMimeType("text/html") ? "text/html" : "text/plain", text.replace("\r\n", "\n"),
					String::concat);
		}
		else {
			try (InputStream content = part.getInputStream()) {
				files.add(new TestMail.Attachment(text(part.getFileName()), part.getContentType(),
						content.readAllBytes()));
			}
		}
	}

	/** The fields for which the API would refuse the mail, with their messages. */
	List<Map<String, String>> faults() {
		List<Map<String, String>> faults = new ArrayList<>();
		check(faults, !this.from.isBlank() && isAddress(this.from), "from", "must be an address, or Name <address>");
		check(faults, !this.to.isEmpty(), "to", "is required: at least one recipient");
		checkAddresses(faults, "to", this.to);
		checkAddresses(faults, "cc", this.cc);
		checkAddresses(faults, "bcc", this.bcc);
		check(faults, this.to.size() + this.cc.size() + this.bcc.size() <= MAX_RECIPIENTS, "to",
				"has, with cc and bcc, more than " + MAX_RECIPIENTS + " recipients");
		check(faults, this.template || !this.subject.isBlank(), "subject", "is required");
		check(faults, this.subject.length() <= MAX_SUBJECT, "subject", "has more than " + MAX_SUBJECT + " characters");
		check(faults, this.template || !this.text.isEmpty() || !this.html.isEmpty(), "html",
				"is required where there is no text: one of html and text must be given");
		check(faults, this.attachments.size() <= MAX_FILES, "attachments", "has more than " + MAX_FILES + " files");
		check(faults, this.attachments.stream().mapToLong((it) -> it.content().length).sum() <= MAX_BYTES,
				"attachments", "are larger than 10 MB together");
		return faults;
	}

	private static void checkAddresses(List<Map<String, String>> faults, String field, List<String> addresses) {
		for (int i = 0; i < Math.min(addresses.size(), MAX_RECIPIENTS); i++) {
			check(faults, isAddress(addresses.get(i)), field + "[" + i + "]",
					"must be one address, or one Name <address>, without line breaks");
		}
	}

	private static void check(List<Map<String, String>> faults, boolean holds, String field, String message) {
		if (!holds) {
			faults.add(Map.of("field", field, "message", message));
		}
	}

	private static boolean isAddress(String text) {
		return address(text).matches("[^@\\s]+@[^@\\s]+");
	}

	private static String address(String text) {
		try {
			InternetAddress[] parsed = InternetAddress.parse(text, false);
			return (parsed.length == 1) ? parsed[0].getAddress() : "";
		}
		catch (AddressException ex) {
			return "";
		}
	}

	/** The mail as it was sent. */
	TestMail sent() {
		Set<String> recipients = new LinkedHashSet<>();
		Stream.of(this.to, this.cc, this.bcc).flatMap(List::stream).map(DraftMail::address).forEach(recipients::add);
		return new TestMail(this.from, List.copyOf(recipients), this.subject, this.text, this.html, this.headers,
				this.attachments);
	}

}
