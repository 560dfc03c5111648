package dev.mailroom.standalone.mailbox;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import dev.mailroom.worker.smtp.server.SmtpHandler.SmtpClient;
import dev.mailroom.worker.smtp.server.SmtpMail;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MessagesTest {

	private static final SmtpClient CLIENT = new SmtpClient(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1),
			"me", false, null);

	@Test
	void theOldestMessagesAreRemovedAboveTheLimitOnNumber() {
		Messages messages = new Messages(2, 1000);
		List.of("1", "2", "3").forEach((id) -> messages.add(message(id, 1)));
		assertThat(messages.matching((_) -> true)).extracting(Message::id).containsExactly("3", "2");
	}

	@Test
	void theOldestMessagesAreRemovedAboveTheLimitOnSize() {
		Messages messages = new Messages(10, 1000);
		List.of("1", "2", "3").forEach((id) -> messages.add(message(id, 400)));
		assertThat(messages.matching((_) -> true)).extracting(Message::id).containsExactly("3", "2");
		messages.add(message("large", 5000));
		assertThat(messages.matching((_) -> true)).extracting(Message::id).containsExactly("large");
	}

	private static Message message(String id, int bytes) {
		return new Message(id, "a@x.test", List.of("b@x.test"), "", Instant.EPOCH, "", "", Map.of(), List.of(),
				new SmtpMail(CLIENT, "a@x.test", List.of("b@x.test"), new byte[bytes]));
	}

}
