package dev.mailroom.standalone.mailbox;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

import dev.mailroom.worker.smtp.server.SmtpHandler.SmtpClient;
import dev.mailroom.worker.smtp.server.SmtpMail;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MessageReaderTest {

	private static final SmtpClient CLIENT = new SmtpClient(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1),
			"me", false, null);

	@Test
	void headersAreUnfoldedAndRepeatedOnesJoined() {
		Message message = read("Received: one\r\nreceived: two\r\nSubject: a\r\n b\r\n\r\nhello\r\n");
		assertThat(message.headers()).containsEntry("Received", "one\ntwo").containsEntry("Subject", "a b");
		assertThat(message.text()).isEqualTo("hello\r\n");
		assertThat(message.html()).isEmpty();
	}

	@Test
	void anAttachmentIsNotTheText() {
		Message message = read("""
				Content-Type: multipart/mixed; boundary=b

				--b
				Content-Type: text/plain
				Content-Disposition: attachment; filename=a.txt

				attached
				--b
				Content-Type: text/html

				<p>shown
				--b--
				""".replace("\n", "\r\n"));
		assertThat(message.text()).isEmpty();
		assertThat(message.html()).isEqualTo("<p>shown");
	}

	@Test
	void aMalformedMailIsParsedAsFarAsPossible() {
		assertThat(read("").subject()).isEmpty();
		assertThat(read("no header at all").mail().content()).hasSize(16);
		assertThat(read("Subject: s\r\nContent-Type: text/plain; charset=x-none\r\n\r\nhello").text())
			.isEqualTo("hello");
		assertThat(read("Subject: s\r\nContent-Type: multipart/mixed\r\n\r\nno boundary").subject()).isEqualTo("s");
		assertThat(read("Subject: s\r\nContent-Transfer-Encoding: base64\r\n\r\n%%%").subject()).isEqualTo("s");
	}

	private static Message read(String content) {
		return MessageReader.read(
				new SmtpMail(CLIENT, "a@x.test", List.of("b@x.test"), content.getBytes(StandardCharsets.UTF_8)),
				Instant.EPOCH);
	}

}
