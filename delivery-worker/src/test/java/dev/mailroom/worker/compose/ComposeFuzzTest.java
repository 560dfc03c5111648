package dev.mailroom.worker.compose;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.mailroom.Mutations;
import dev.mailroom.Refused;
import dev.mailroom.domain.SigningKey;
import dev.mailroom.mail.draft.CheckedMail;
import dev.mailroom.mail.draft.MailRules;
import dev.mailroom.mail.draft.MailContent;
import dev.mailroom.mail.draft.Mailbox;
import dev.mailroom.mail.draft.Submission;
import dev.mailroom.mail.queue.StoredMail;
import dev.mailroom.worker.compose.Dkim.RawMessage;
import jakarta.mail.MessagingException;
import jakarta.mail.Multipart;
import jakarta.mail.Part;
import jakarta.mail.Session;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeUtility;
import org.apache.james.jdkim.DKIMVerifier;
import org.apache.james.jdkim.exceptions.FailException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Fuzzing of composing and signing: a mail library reads every message that was accepted
 * and composed, and it has the content of the mail. An input has the subject, the sender,
 * a header, a file name, the file, the text and the HTML, separated by lines of "%%".
 */
class ComposeFuzzTest {

	private static final UUID ID = UUID.fromString("01890000-0000-7000-8000-000000000001");

	private static final KeyPair KEYS = keys();

	/** Addresses that are not ASCII are in UTF-8 (RFC 6532). */
	private static final Session SESSION = Session.getInstance(settings());

	@FuzzTest(maxDuration = "10m")
	void mails(byte[] input) throws Exception {
		checkMail(input);
	}

	@Test
	void mutatedMails() {
		Mutations.check(getClass(), "mails", 100, ComposeFuzzTest::checkMail);
	}

	@FuzzTest(maxDuration = "10m")
	void canonicalForm(byte[] input) {
		checkCanonicalForm(input);
	}

	@Test
	void mutatedCanonicalForm() {
		Mutations.check(getClass(), "canonicalForm", 2000, ComposeFuzzTest::checkCanonicalForm);
	}

	private static void checkMail(byte[] input) {
		String[] parts = Arrays.copyOf(new String(input, StandardCharsets.UTF_8).split("\n%%\n", 7), 7);
		CheckedMail checked;
		try {
			checked = MailRules.check(submission(parts), Instant.EPOCH);
		}
		catch (Refused _) {
			return;
		}
		StoredMail mail = mail(checked, parts[4]);
		byte[] message;
		try {
			message = Mime.write(ID, mail);
		}
		catch (Composer.Unrenderable ex) {
			assertThat(ex).hasMessageContaining("a word longer than a line");
			return;
		}
		try {
			checkLines(message);
			checkContent(new MimeMessage(SESSION, new ByteArrayInputStream(message)), checked, mail);
			checkSignature(message);
		}
		catch (MessagingException | IOException | FailException ex) {
			throw new AssertionError(new String(message, StandardCharsets.UTF_8), ex);
		}
	}

	private static Submission submission(String[] parts) {
		MailContent content = MailContent.of(parts[0], parts[6], parts[5])
			.withHeaders(Map.of("X-Header", text(parts[2])));
		if (parts[4] != null && !parts[4].isEmpty()) {
			content = content.withAttachments(List.of(MailContent.Attachment.of(parts[3], null, null,
					Base64.getEncoder().encodeToString(parts[4].getBytes(StandardCharsets.UTF_8)))));
		}
		return new Submission(parts[1], List.of(text(parts[1])), List.of(), List.of(), List.of(text(parts[1])), content,
				null, null, null);
	}

	private static String text(String part) {
		return (part != null) ? part : "";
	}

	/** The mail as the queue stores it. */
	private static StoredMail mail(CheckedMail checked, String file) {
		List<StoredMail.Attachment> files = checked.content()
			.attachments()
			.stream()
			.map((one) -> new StoredMail.Attachment(one.filename(), one.contentType(), null,
					file.getBytes(StandardCharsets.UTF_8)))
			.toList();
		return new StoredMail(checked.from().toString(), texts(checked.to()), List.of(), texts(checked.replyTo()),
				checked.content().subject(), checked.content().html(), checked.content().text(),
				checked.content().headers(), files, Instant.EPOCH, "transactional");
	}

	private static List<String> texts(List<Mailbox> mailboxes) {
		return mailboxes.stream().map(Mailbox::toString).toList();
	}

	private static void checkLines(byte[] message) {
		String text = new String(message, StandardCharsets.ISO_8859_1);
		assertThat(text).endsWith("\r\n");
		for (String line : text.split("\r\n", -1)) {
			assertThat(line.length()).isLessThanOrEqualTo(998);
			assertThat(line.indexOf('\r') < 0 && line.indexOf('\n') < 0).as("no bare CR or LF").isTrue();
		}
		String header = text.substring(0, text.indexOf("\r\n\r\n"));
		assertThat(header.split("\r\n(?![ \t])")).allMatch((field) -> field.matches("(?s)[!-9;-~]+: ?.*"));
	}

	private static void checkContent(MimeMessage message, CheckedMail checked, StoredMail mail)
			throws MessagingException, IOException {
		assertThat(decoded(message, "Subject")).isEqualTo(mail.subject().strip());
		assertThat(decoded(message, "X-Header")).isEqualTo(text(mail.headers().get("X-Header")).strip());
		assertThat(message.getHeader("From")).hasSize(1);
		InternetAddress from = InternetAddress.parseHeader(message.getHeader("From", null), false)[0];
		assertThat(text(from.getPersonal()).strip()).isEqualTo(checked.from().name().strip());
		assertThat(from.getAddress()).isEqualTo(checked.from().address().toString());
		List<Part> leaves = leaves(message, new ArrayList<>());
		assertThat(leaves).hasSize((mail.text() != null && mail.html() != null ? 2 : 1) + mail.attachments().size());
		int at = 0;
		if (mail.text() != null) {
			checkBody(leaves.get(at++), "text/plain", mail.text());
		}
		if (mail.html() != null) {
			checkBody(leaves.get(at++), "text/html", mail.html());
		}
		for (StoredMail.Attachment file : mail.attachments()) {
			assertThat(leaves.get(at).getInputStream().readAllBytes()).isEqualTo(file.content());
			assertThat(leaves.get(at++).getFileName()).isEqualTo(file.filename());
		}
	}

	private static String decoded(MimeMessage message, String name) throws MessagingException, IOException {
		assertThat(message.getHeader(name)).hasSize(1);
		return MimeUtility.decodeText(MimeUtility.unfold(message.getHeader(name)[0])).strip();
	}

	private static void checkBody(Part part, String type, String body) throws MessagingException, IOException {
		assertThat(part.isMimeType(type)).isTrue();
		String expected = body.replace("\r\n", "\n").replace('\r', '\n');
		String read = ((String) part.getContent()).replace("\r\n", "\n");
		assertThat(read.equals(expected) || read.equals(expected + "\n")).as("%s\n!=\n%s", read, expected).isTrue();
	}

	private static List<Part> leaves(Part part, List<Part> leaves) throws MessagingException, IOException {
		if (part.getContent() instanceof Multipart parts) {
			for (int i = 0; i < parts.getCount(); i++) {
				leaves(parts.getBodyPart(i), leaves);
			}
		}
		else {
			leaves.add(part);
		}
		return leaves;
	}

	/** Another implementation verifies the signature. */
	private static void checkSignature(byte[] message) throws IOException, FailException {
		byte[] signed = Dkim.sign(message, List.of(new SigningKey("x.test", "s", "rsa-sha256", KEYS.getPrivate())));
		String record = "v=DKIM1; k=rsa; p=" + Base64.getEncoder().encodeToString(KEYS.getPublic().getEncoded());
		assertThat(new DKIMVerifier((_, _, _) -> List.of(record)).verify(new ByteArrayInputStream(signed))).hasSize(1);
	}

	/**
	 * The canonical form of the canonical form is the same, and as RFC 6376 describes.
	 */
	private static void checkCanonicalForm(byte[] input) {
		RawMessage raw = RawMessage.of(input);
		byte[] body = raw.relaxedBody();
		byte[] again = new byte[body.length + 4];
		System.arraycopy("\r\n\r\n".getBytes(StandardCharsets.US_ASCII), 0, again, 0, 4);
		System.arraycopy(body, 0, again, 4, body.length);
		assertThat(RawMessage.of(again).relaxedBody()).isEqualTo(body);
		String text = new String(input, raw.bodyStart(), input.length - raw.bodyStart(), StandardCharsets.ISO_8859_1);
		assertThat(new String(body, StandardCharsets.ISO_8859_1)).isEqualTo(relaxed(text));
		raw.headers()
			.values()
			.forEach((fields) -> fields.forEach((field) -> assertThat(RawMessage.relaxed(field)).isEqualTo(field)));
	}

	private static String relaxed(String body) {
		List<String> lines = new ArrayList<>();
		for (String line : body.split("\r\n", -1)) {
			lines.add(line.replaceAll("[ \t]+", " ").replaceFirst(" \\z", ""));
		}
		while (!lines.isEmpty() && lines.getLast().isEmpty()) {
			lines.removeLast();
		}
		return lines.isEmpty() ? "" : String.join("\r\n", lines) + "\r\n";
	}

	private static Properties settings() {
		Properties properties = new Properties();
		properties.setProperty("mail.mime.allowutf8", "true");
		return properties;
	}

	private static KeyPair keys() {
		try {
			KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
			generator.initialize(1024);
			return generator.generateKeyPair();
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
