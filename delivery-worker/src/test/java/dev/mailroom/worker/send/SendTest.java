package dev.mailroom.worker.send;

import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.ScriptedSmtpServer;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.worker.send.SendEnvironment.SMTP;
import static dev.mailroom.worker.send.SendEnvironment.attempts;
import static dev.mailroom.worker.send.SendEnvironment.await;
import static dev.mailroom.worker.send.SendEnvironment.awaitLastEvent;
import static dev.mailroom.worker.send.SendEnvironment.awaitSettled;
import static dev.mailroom.worker.send.SendEnvironment.pause;
import static dev.mailroom.worker.send.SendEnvironment.received;
import static dev.mailroom.worker.send.SendEnvironment.resume;
import static dev.mailroom.worker.send.SendEnvironment.status;
import static org.assertj.core.api.Assertions.assertThat;

/** Retries, bounces and lost replies. */
@SendEnvironment.SendingWorker
class SendTest {

	@Autowired
	MeterRegistry meters;

	private final Scope scope = Given.sender("unlimited");

	@AfterEach
	void resetRelay() {
		SMTP.behave();
	}

	@Test
	void eachRecipientReceivesADueMailOnceWithAReturnPathOfItsOwn() {
		List<UUID> mails = IntStream.range(0, 100)
			.mapToObj((i) -> Given.mail(this.scope, i + "@once.test", "x" + i + "@once.test"))
			.toList();
		mails.forEach(SendEnvironment::awaitSettled);
		List<ScriptedSmtpServer.Mail> received = received("@once.test");
		assertThat(received).hasSize(200).extracting(ScriptedSmtpServer.Mail::rcptTo).doesNotHaveDuplicates();
		assertThat(received).extracting(ScriptedSmtpServer.Mail::mailFrom).doesNotHaveDuplicates();
	}

	@Test
	void aTemporaryRefusalIsRetriedUntilTheMailExpires() {
		SMTP.answer("RCPT later@deferred.test", "451 4.7.1 later");
		UUID mail = Given.mail(this.scope, "later@deferred.test");
		awaitLastEvent("delivery_delayed", mail);
		SMTP.behave();
		awaitLastEvent("delivered", mail);
		SMTP.answer("RCPT never@deferred.test", "451 4.7.1 later");
		UUID never = Given.mail(this.scope, "never@deferred.test");
		awaitLastEvent("expired", never);
		assertThat(status(never)).isEqualTo("failed");
	}

	@Test
	void allRetriesAreRecordedAsAttemptsUntilTheMailExpires() {
		SMTP.answer("RCPT never@days.test", "451 4.7.1 Greylisted")
			.answer("RCPT third@days.test", "451 4.7.1 Greylisted", 2);
		pause(this.scope.account());
		UUID never = Given.mail(this.scope, "never@days.test");
		UUID third = Given.mail(this.scope, "third@days.test");
		Given.run("update queue set campaign = true where account_id = '%s'", this.scope.account());
		resume(this.scope.account());
		awaitLastEvent("delivered", third);
		assertThat(attempts(third)).containsExactly("1 deferred", "2 deferred", "3 delivered");
		awaitLastEvent("expired", never);
		assertThat(status(never)).isEqualTo("failed");
		assertThat(attempts(never)).hasSize(16).endsWith("15 deferred", "16 expired");
		assertThat(Given.rows("select conversation from delivery_attempt where email_id = '%s'", never))
			.allMatch((conversation) -> conversation.contains("C: RCPT TO:<never@days.test>\n")
					&& conversation.contains("S: 451 4.7.1 Greylisted\n"));
		assertThat(Given.rows("select kind from event where email_id = '%s' order by id", never))
			.containsExactly("email.delivery_delayed", "email.failed");
	}

	@Test
	void aPermanentRefusalBouncesAndSuppressesTheAddressOnlyIfItIsUnknown() {
		SMTP.answer("RCPT gone@bounced.test", "550 5.1.1 nobody").answer("RCPT full@bounced.test", "552 5.2.2 full");
		UUID mail = Given.mail(this.scope, "gone@bounced.test", "full@bounced.test");
		awaitLastEvent("bounced", mail);
		awaitSettled(mail);
		assertThat(Given.rows("select address from suppression where account_id = '%s'", this.scope.account()))
			.containsExactly("gone@bounced.test");
		SMTP.behave();
		UUID again = Given.mail(this.scope, "gone@bounced.test");
		awaitLastEvent("suppressed", again);
		assertThat(received("gone@bounced.test")).isEmpty();
	}

	@Test
	void aLostReplyCountsAsAmbiguousAndIsRetriedAfterTheLease() {
		double before = this.meters.get("mailroom.ambiguous.handovers").counter().count();
		SMTP.answer("BODY", ScriptedSmtpServer.DROP);
		UUID mail = Given.mail(this.scope, "lost@ambiguous.test");
		await("the mail at the relay", () -> !received("lost@ambiguous.test").isEmpty());
		SMTP.behave();
		awaitLastEvent("delivered", mail);
		assertThat(Given.rows("select ambiguous >= 1 from delivery_state where email_id = '%s'", mail))
			.containsExactly("t");
		int ambiguous = Integer
			.parseInt(Given.rows("select ambiguous from delivery_state where email_id = '%s'", mail).getFirst());
		assertThat(received("lost@ambiguous.test")).hasSizeLessThanOrEqualTo(1 + ambiguous);
		assertThat(this.meters.get("mailroom.ambiguous.handovers").counter().count())
			.isGreaterThanOrEqualTo(before + 1);
		assertThat(this.meters.get("mailroom.delivery.attempts")
			.tags("transport", "relay", "provider", "other", "result", "unanswered", "reply_class", "net")
			.counter()
			.count()).isPositive();
		assertThat(received("lost@ambiguous.test").stream().map(ScriptedSmtpServer.Mail::content).distinct())
			.hasSize(1);
		assertThat(attempts(mail)).hasSize(1 + ambiguous)
			.startsWith("1 unanswered")
			.endsWith((1 + ambiguous) + " delivered");
		assertThat(Given
			.rows("select conversation from delivery_attempt where email_id = '%s' and outcome = 'unanswered'", mail))
			.allMatch((conversation) -> conversation.contains("C: RCPT TO:<lost@ambiguous.test>\n")
					&& conversation.contains("S: 354"));
	}

}
