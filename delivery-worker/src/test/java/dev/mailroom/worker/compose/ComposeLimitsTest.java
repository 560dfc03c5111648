package dev.mailroom.worker.compose;

import java.nio.charset.StandardCharsets;
import java.security.KeyPairGenerator;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.domain.SigningKey;
import dev.mailroom.mail.queue.StoredMail;
import dev.mailroom.worker.compose.Dkim.RawMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ComposeLimitsTest {

	private static final UUID ID = UUID.fromString("01890000-0000-7000-8000-000000000001");

	@Test
	@Timeout(60)
	void theTimeToSignIsLinearInTheNumberOfEmptyLines() throws Exception {
		SigningKey key = new SigningKey("b.test", "s1", "ed25519-sha256",
				KeyPairGenerator.getInstance("Ed25519").generateKeyPair().getPrivate());
		byte[] message = Mime.write(ID, mail("begin" + "\n".repeat(900_000) + "end", null));
		byte[] signed = Dkim.sign(message, List.of(key));
		assertThat(signed).hasSizeGreaterThan(message.length);
	}

	@Test
	void emptyLinesAreKeptBetweenLinesAndRemovedAtTheEnd() {
		byte[] message = "A: b\r\n\r\n\r\n\r\n a \t b \r\n \r\n\r\nc\r\n\r\n\t\r\n".getBytes(StandardCharsets.UTF_8);
		assertThat(new String(RawMessage.of(message).relaxedBody(), StandardCharsets.UTF_8))
			.isEqualTo("\r\n\r\n a b\r\n\r\n\r\nc\r\n");
		byte[] empty = "A: b\r\n\r\n\r\n\r\n".getBytes(StandardCharsets.UTF_8);
		assertThat(RawMessage.of(empty).relaxedBody()).isEmpty();
		byte[] open = "A: b\r\n\r\n\r\na".getBytes(StandardCharsets.UTF_8);
		assertThat(new String(RawMessage.of(open).relaxedBody(), StandardCharsets.UTF_8)).isEqualTo("\r\na\r\n");
	}

	@Test
	void foldedFieldsAreUnfoldedAndNamesAreInLowerCase() {
		RawMessage raw = RawMessage
			.of("From:  a\r\n\t b \r\nX-A: 1\r\nfrom:c\r\n\r\nbody".getBytes(StandardCharsets.UTF_8));
		assertThat(raw.fields("from")).containsExactly("from:a b", "from:c");
		assertThat(raw.fields("x-a")).containsExactly("x-a:1");
	}

	@Test
	void aBodyWithTooManyLinesIsRefusedWithAReason() {
		assertThatThrownBy(() -> Mime.write(ID, mail("\n".repeat(ComposeLimits.MAX_LINES + 1), null)))
			.isInstanceOf(Composer.Unrenderable.class)
			.hasMessageContaining("at most 1000000 can be sent");
	}

	@Test
	void aBodyThatIsTooLongIsRefusedWithAReason() {
		assertThatThrownBy(() -> Mime.write(ID, mail(null, "x".repeat(ComposeLimits.MAX_BODY_LENGTH + 1))))
			.isInstanceOf(Composer.Unrenderable.class)
			.hasMessageContaining("HTML")
			.hasMessageContaining("attachment");
	}

	private static StoredMail mail(String text, String html) {
		return new StoredMail("a@b.test", List.of("c@d.test"), List.of(), List.of(), "s", html, text, Map.of(),
				List.of(), Instant.EPOCH, "transactional");
	}

}
