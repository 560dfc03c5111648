package dev.mailroom.worker.send;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.worker.smtp.server.Feedback;
import dev.mailroom.worker.smtp.server.Feedback.FeedbackKind;
import dev.mailroom.worker.smtp.server.IncomingMail;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.worker.send.SendEnvironment.awaitLastEvent;
import static dev.mailroom.worker.send.SendEnvironment.received;
import static org.assertj.core.api.Assertions.assertThat;

/** Bounces and complaints on mails sent before. */
@SendEnvironment.SendingWorker
class SendFeedbackTest {

	@Autowired
	Feedback feedback;

	private final Scope scope = Given.sender("unlimited");

	@Test
	void reportsFindTheirDeliveryByTheReturnPath() throws IOException {
		UUID bounced = Given.mail(this.scope, "gone@late.test");
		UUID complained = Given.mail(this.scope, "angry@late.test");
		awaitLastEvent("delivered", bounced);
		awaitLastEvent("delivered", complained);
		assertThat(isReport(returnPath("gone@late.test").toUpperCase(Locale.ROOT), "vacation", "")).isFalse();
		assertThat(isReport(returnPath("gone@late.test"), "postfix-unknown", "")).isTrue();
		for (String sample : List.of("arf-abuse", "arf-included")) {
			assertThat(isReport("FBL@platform.test", sample, returnPath("angry@late.test"))).isTrue();
			assertThat(isReport("fbl@platform.test", sample, "b+" + "0".repeat(61) + "@bounce.late.test")).isFalse();
		}
		awaitLastEvent("bounced", bounced);
		awaitLastEvent("complained", complained);
		assertThat(Given.rows("select address || ' ' || reason from suppression where account_id = '%s' order by 1",
				this.scope.account()))
			.containsExactly("angry@late.test complaint", "gone@late.test hard_bounce");
	}

	private boolean isReport(String recipient, String sample, String returnPath) throws IOException {
		try (InputStream file = Objects
			.requireNonNull(getClass().getResourceAsStream("/feedback/" + sample + ".eml"))) {
			String mail = new String(file.readAllBytes(), StandardCharsets.UTF_8).replace("%PATH%", returnPath)
				.replace("gone@example.net", "gone@late.test");
			assertThat(this.feedback.expects(recipient)).isTrue();
			return this.feedback
				.take(recipient,
						new IncomingMail(InetAddress.getLoopbackAddress(), "mx.late.test", "",
								mail.getBytes(StandardCharsets.UTF_8)))
				.block(Duration.ofSeconds(20)) == FeedbackKind.APPLIED;
		}
	}

	private static String returnPath(String to) {
		return received(to).getFirst().mailFrom();
	}

}
