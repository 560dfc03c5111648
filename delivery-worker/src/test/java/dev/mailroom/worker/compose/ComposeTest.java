package dev.mailroom.worker.compose;

import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;

import dev.mailroom.domain.SigningKey;
import dev.mailroom.mail.queue.StoredMail;
import jakarta.mail.Message;
import jakarta.mail.Multipart;
import jakarta.mail.Part;
import jakarta.mail.Session;
import jakarta.mail.internet.ContentType;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeUtility;
import org.apache.james.jdkim.DKIMVerifier;
import org.apache.james.jdkim.api.SignatureRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Execution(ExecutionMode.CONCURRENT)
class ComposeTest {

	private static final UUID ID = UUID.fromString("01890000-0000-7000-8000-000000000001");

	@ParameterizedTest
	@ValueSource(strings = { "Hello", "Grüße 🎉 aus Köln", "=?UTF-8?Q?no?=", "مرحبا", "a  b   c ", "\"quoted\" <x@y>" })
	void subjectsAndDisplayNamesArriveUnchanged(String text) throws Exception {
		MimeMessage message = read(Mime.write(ID, mail(text, "body", null)));
		assertThat(message.getSubject().replaceAll("\\s+", " ")).isEqualTo(text.replaceAll("\\s+", " "));
		StoredMail mailWithNames = new StoredMail("Jürgen, der \"Große\" <a@b.test>",
				List.of("Ünal <c@d.test>", "e@d.test"), List.of(), List.of("r@b.test"), text, null, "x", Map.of(),
				List.of(), Instant.EPOCH, "transactional");
		MimeMessage named = read(Mime.write(ID, mailWithNames));
		assertThat(((InternetAddress) named.getFrom()[0]).getPersonal()).isEqualTo("Jürgen, der \"Große\"");
		assertThat(named.getRecipients(Message.RecipientType.TO)).hasSize(2);
		assertThat(named.getReplyTo()[0]).hasToString("r@b.test");
	}

	@Test
	void theReasonForAnInvalidAddressDoesNotContainIt() {
		StoredMail mail = new StoredMail("a@b.test", List.of("Private <person@c.test, x>"), List.of(), List.of(), "s",
				null, "x", Map.of(), List.of(), Instant.EPOCH, "transactional");
		assertThatThrownBy(() -> Mime.write(ID, mail)).isInstanceOf(Composer.Unrenderable.class)
			.hasMessageContaining("address of the mail is invalid")
			.satisfies((error) -> assertThat(stackTrace(error)).doesNotContain("person", "Private"));
	}

	private static String stackTrace(Throwable error) {
		StringWriter text = new StringWriter();
		error.printStackTrace(new PrintWriter(text));
		return text.toString();
	}

	@ParameterizedTest
	@ValueSource(strings = { "plain", "Zeile\nund\r\nnoch\reine", ".\r\n..\r\n.dot", "", "From the start", "tab\t end ",
			"ü", "🎉\n🎉" })
	void aBodyArrivesUnchangedInLinesTerminatedByCrLf(String text) throws Exception {
		byte[] bytes = Mime.write(ID, mail("s", text, null));
		assertThat(((String) read(bytes).getContent()).stripTrailing())
			.isEqualTo(text.replace("\r\n", "\n").replace('\r', '\n').replace("\n", "\r\n").stripTrailing());
		assertLineLengths(bytes);
	}

	@Test
	void longLinesAreEncoded() throws Exception {
		String line = "x".repeat(5000) + "ü";
		byte[] bytes = Mime.write(ID, mail("s".repeat(998), line, "<p>" + "y".repeat(5000) + "</p>"));
		assertLineLengths(bytes);
		assertThat(((Multipart) read(bytes).getContent()).getBodyPart(0).getContent()).isEqualTo(line);
	}

	@Test
	void bodiesInlinePartsAndAttachmentsAreNestedAsMimeRequires() throws Exception {
		Map<String, String> headers = new LinkedHashMap<>();
		headers.put("X-Campaign", "frühling");
		StoredMail mail = new StoredMail("a@b.test", List.of("c@d.test"), List.of("cc@d.test"), List.of(), "s",
				"<img src='cid:logo'>", "text", headers,
				List.of(new StoredMail.Attachment("Rechnung für März.pdf", "application/pdf", null,
						new byte[] { 1, 2, 3 }),
						new StoredMail.Attachment("logo.png", "image/png", "logo", new byte[] { 4, 5 })),
				Instant.parse("2030-01-02T03:04:05Z"), "transactional");
		MimeMessage message = read(Mime.write(ID, mail));
		Multipart mixed = (Multipart) message.getContent();
		assertThat(message.getContentType()).startsWith("multipart/mixed");
		Multipart related = (Multipart) mixed.getBodyPart(0).getContent();
		assertThat(new ContentType(related.getContentType()).getParameter("type")).isEqualTo("multipart/alternative");
		Multipart alternative = (Multipart) related.getBodyPart(0).getContent();
		assertThat(alternative.getBodyPart(0).getContentType()).startsWith("text/plain");
		assertThat(alternative.getBodyPart(1).getContentType()).startsWith("text/html");
		assertThat(related.getBodyPart(1).getHeader("Content-ID")).containsExactly("<logo>");
		assertThat(mixed.getBodyPart(1).getDisposition()).isEqualTo(Part.ATTACHMENT);
		assertThat(MimeUtility.decodeText(mixed.getBodyPart(1).getFileName())).isEqualTo("Rechnung für März.pdf");
		assertThat(mixed.getBodyPart(1).getInputStream().readAllBytes()).containsExactly(1, 2, 3);
		assertThat(MimeUtility.decodeText(message.getHeader("X-Campaign")[0])).isEqualTo("frühling");
		assertThat(message.getMessageID()).isEqualTo("<" + ID + "@b.test>");
		assertThat(message.getHeader("Bcc")).isNull();
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "message/rfc822", "text/plain", "application/pdf; name=\"a.pdf\"", "text/html; charset=utf-8" })
	void attachmentsAreEncodedAndArriveUnchanged(String type) throws Exception {
		byte[] content = ("From: x@y.test\n\n.\r\n\r.\rü" + "z".repeat(3000)).getBytes(StandardCharsets.UTF_8);
		StoredMail mail = new StoredMail("a@b.test", List.of("c@d.test"), List.of(), List.of(), "s", null, "x",
				Map.of(), List.of(new StoredMail.Attachment("a.eml", type, null, content)), Instant.EPOCH,
				"transactional");
		byte[] bytes = Mime.write(ID, mail);
		assertLineLengths(bytes);
		assertThat(new String(bytes, StandardCharsets.ISO_8859_1).chars()).allMatch((octet) -> octet < 0x80);
		String text = new String(bytes, StandardCharsets.US_ASCII);
		String part = text.substring(text.indexOf("a.eml"));
		String encoded = part.substring(part.indexOf("\r\n\r\n") + 4, part.indexOf("\r\n--=_"));
		assertThat(Base64.getMimeDecoder().decode(encoded)).isEqualTo(content);
	}

	@Test
	void anAttachedMessageIsNotEncodedUnlessItsTypeIsReplaced() {
		String message = "Subject: x\r\n\r\n.\r\nFrom here\r\n";
		assertThat(attached(message)).contains("Content-Type: message/rfc822\r\n",
				"Content-Transfer-Encoding: 7bit\r\n", "\r\n\r\n" + message);
		for (String other : List.of(message + "\n", message + "ü", message + "\0", message + "z".repeat(999))) {
			assertThat(attached(other)).doesNotContain("message/rfc822").contains("application/octet-stream");
		}
	}

	private static String attached(String message) {
		StoredMail.Attachment file = new StoredMail.Attachment("a.eml", "message/rfc822", null,
				message.getBytes(StandardCharsets.UTF_8));
		StoredMail mail = new StoredMail("a@b.test", List.of("c@d.test"), List.of(), List.of(), "s", null, "x",
				Map.of(), List.of(file), Instant.EPOCH, "transactional");
		return new String(Mime.write(ID, mail), StandardCharsets.ISO_8859_1);
	}

	@Test
	void composingTwiceGivesTheSameBytes() throws Exception {
		StoredMail mail = new StoredMail("a@b.test", List.of("c@d.test"), List.of(), List.of(), "s", "<p>x</p>", "x",
				Map.of(), List.of(new StoredMail.Attachment("a.txt", "text/plain", null, new byte[] { 1 })),
				Instant.EPOCH, "transactional");
		List<SigningKey> keys = List.of(key("rsa-sha256", pair("RSA")), key("ed25519-sha256", pair("Ed25519")));
		assertThat(Dkim.sign(Mime.write(ID, mail), keys)).isEqualTo(Dkim.sign(Mime.write(ID, mail), keys));
	}

	@Test
	void aValueWithALineBreakIsRefused() {
		assertThatThrownBy(() -> Mime.write(ID, mail("a\r\nBcc: x@y.test", "x", null)))
			.isInstanceOf(Composer.Unrenderable.class);
		StoredMail header = new StoredMail("a@b.test", List.of("c@d.test"), List.of(), List.of(), "s", null, "x",
				Map.of("X-A", "b\u2028c"), List.of(), Instant.EPOCH, "transactional");
		assertThatThrownBy(() -> Mime.write(ID, header)).isInstanceOf(Composer.Unrenderable.class);
	}

	@ParameterizedTest
	@ValueSource(strings = { "x", "two  spaces \r\n\r\ntrailing  \r\n\r\n\r\n", "", "Grüße\r\n.\r\n" })
	void anIndependentVerifierAcceptsTheSignatureAndDetectsChanges(String text) throws Exception {
		KeyPair pair = pair("RSA");
		byte[] signed = Dkim.sign(Mime.write(ID, mail("Grüße", text, "<b>x</b>")), List.of(key("rsa-sha256", pair)));
		assertThat(verify(pair, signed)).singleElement().satisfies((record) -> {
			assertThat(record.getDToken().toString()).isEqualTo("b.test");
			assertThat(record.getHeaders().stream().map(CharSequence::toString).filter("from"::equals)).hasSize(2);
		});
		String changed = new String(signed, StandardCharsets.ISO_8859_1).replace("Subject:", "Subject: no");
		assertThatThrownBy(() -> verify(pair, changed.getBytes(StandardCharsets.ISO_8859_1))).isNotNull();
		String added = "From: other@b.test\r\n" + new String(signed, StandardCharsets.ISO_8859_1);
		assertThatThrownBy(() -> verify(pair, added.getBytes(StandardCharsets.ISO_8859_1))).isNotNull();
	}

	private static List<SignatureRecord> verify(KeyPair pair, byte[] message) throws Exception {
		String record = "v=DKIM1; k=rsa; p=" + Base64.getEncoder().encodeToString(pair.getPublic().getEncoded());
		return new DKIMVerifier((methods, selector, token) -> List.of(record))
			.verify(new ByteArrayInputStream(message));
	}

	private static SigningKey key(String algorithm, KeyPair pair) {
		return new SigningKey("b.test", "s1", algorithm, pair.getPrivate());
	}

	private static KeyPair pair(String algorithm) throws Exception {
		KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
		if (algorithm.equals("RSA")) {
			generator.initialize(2048);
		}
		return generator.generateKeyPair();
	}

	private static StoredMail mail(String subject, String text, String html) {
		return new StoredMail("a@b.test", List.of("c@d.test"), List.of(), List.of(), subject, html, text, Map.of(),
				List.of(), Instant.EPOCH, "transactional");
	}

	private static MimeMessage read(byte[] bytes) throws Exception {
		return new MimeMessage(Session.getInstance(new Properties()), new ByteArrayInputStream(bytes));
	}

	private static void assertLineLengths(byte[] bytes) {
		String text = new String(bytes, StandardCharsets.ISO_8859_1);
		assertThat(text.replace("\r\n", "")).doesNotContain("\r").doesNotContain("\n");
		assertThat(text.split("\r\n")).allMatch((line) -> line.length() <= 998);
	}

}
