package dev.mailroom.worker.send;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.ScriptedSmtpServer;
import dev.mailroom.account.Accounts;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.worker.send.SendEnvironment.DNS;
import static dev.mailroom.worker.send.SendEnvironment.SMTP;
import static dev.mailroom.worker.send.SendEnvironment.attempts;
import static dev.mailroom.worker.send.SendEnvironment.await;
import static dev.mailroom.worker.send.SendEnvironment.awaitLastEvent;
import static dev.mailroom.worker.send.SendEnvironment.received;
import static dev.mailroom.worker.send.SendEnvironment.status;
import static org.assertj.core.api.Assertions.assertThat;

/** Choice of the transport: direct MX, relay and sandbox. */
@SendEnvironment.SendingWorker
class SendTransportTest {

	@Autowired
	Accounts accounts;

	private final Scope scope = Given.sender("unlimited");

	@Test
	void sandboxRecipientsHaveTheirOutcomeWithoutEffectOnTheReputation() {
		String host = "@simulator.platform.test";
		UUID delivered = Given.mail(this.scope, "delivered+one" + host);
		UUID bounced = Given.mail(this.scope, "bounced" + host);
		UUID deferred = Given.mail(this.scope, "deferred+two" + host);
		UUID suppressed = Given.mail(this.scope, "suppressed" + host);
		UUID opened = Given.mail(this.scope, "opened" + host);
		UUID clicked = Given.mail(this.scope, "Clicked+x" + host);
		UUID complained = Given.mail(this.scope, "complained+spam" + host);
		UUID unknown = Given.mail(this.scope, "nobody" + host);
		List.of(delivered, deferred).forEach((mail) -> awaitLastEvent("delivered", mail));
		List.of(bounced, unknown).forEach((mail) -> awaitLastEvent("bounced", mail));
		awaitLastEvent("suppressed", suppressed);
		awaitLastEvent("complained", complained);
		List.of(opened, clicked).forEach((mail) -> await("status delivered", () -> status(mail).equals("delivered")));
		assertThat(attempts(deferred)).containsExactly("1 deferred", "2 delivered");
		await("the open and the click",
				() -> Given
					.rows("select open_count || ' ' || click_count from email where id in ('%s', '%s') order by 1",
							opened, clicked)
					.equals(List.of("1 0", "1 1")));
		assertThat(Given.rows("select address from suppression where account_id = '%s'", this.scope.account()))
			.isEmpty();
		assertThat(Given.rows("select day from reputation_day where account_id = '%s'", this.scope.account()))
			.isEmpty();
		assertThat(received(host)).isEmpty();
	}

	@Test
	void aDomainMaySendDirectlyAndASlowServerDoesNotDelayOthers() {
		Given.run("update domain set transport = 'mx' where id = '%s'", this.scope.domain());
		DNS.publish("MX", "slow.test", "mx.slow.test");
		DNS.publish("A", "mx.slow.test", "127.0.0.7");
		DNS.publish("A", "quick.test", "127.0.0.6");
		try (ScriptedSmtpServer slow = new ScriptedSmtpServer(InetAddress.ofLiteral("127.0.0.7"), SMTP.port());
				ScriptedSmtpServer quick = new ScriptedSmtpServer(InetAddress.ofLiteral("127.0.0.6"), SMTP.port())) {
			slow.answer("MAIL", ScriptedSmtpServer.STALL);
			List<UUID> waiting = IntStream.range(0, 60)
				.mapToObj((i) -> Given.mail(this.scope, i + "@slow.test"))
				.toList();
			await("two sessions with the slow server", () -> slow.sessions() >= 2);
			UUID mail = Given.mail(this.scope, "b@quick.test", "gone@gone.test");
			await("the mail to the other recipients settled",
					() -> quick.mails().size() == 1 && status(mail).equals("bounced"));
			assertThat(status(waiting.getFirst())).isEqualTo("pending");
			await("the attempt by MX",
					() -> Given
						.rows("select transport || ' ' || host || ' ' || address from delivery_attempt "
								+ "where email_id = '%s' and outcome = 'delivered'", mail)
						.equals(List.of("mx quick.test 127.0.0.6")));
			Given.run("delete from queue where account_id = '%s'", this.scope.account());
		}
	}

	@Test
	void anAccountUsesTheTransportThatAnOperatorChose() {
		DNS.publish("A", "chosen.test", "127.0.0.8");
		try (ScriptedSmtpServer chosen = new ScriptedSmtpServer(InetAddress.ofLiteral("127.0.0.8"), SMTP.port())) {
			this.accounts.chooseTransport(this.scope, "mx").block(Duration.ofSeconds(20));
			UUID straight = Given.mail(this.scope, "straight@chosen.test");
			awaitLastEvent("delivered", straight);
			this.accounts.chooseTransport(this.scope, null).block(Duration.ofSeconds(20));
			UUID relayed = Given.mail(this.scope, "relayed@chosen.test");
			awaitLastEvent("delivered", relayed);
			assertThat(chosen.mails()).extracting(ScriptedSmtpServer.Mail::rcptTo)
				.containsExactly("straight@chosen.test");
			assertThat(Given.rows("select transport from delivery_attempt where account_id = '%s' order by began_at",
					this.scope.account()))
				.containsExactly("mx", "relay");
		}
	}

}
