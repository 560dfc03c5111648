package dev.mailroom.worker.send;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.ScriptedSmtpServer;
import dev.mailroom.source.SendingSources;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.worker.send.SendEnvironment.DNS;
import static dev.mailroom.worker.send.SendEnvironment.SMTP;
import static dev.mailroom.worker.send.SendEnvironment.attempts;
import static dev.mailroom.worker.send.SendEnvironment.await;
import static dev.mailroom.worker.send.SendEnvironment.awaitLastEvent;
import static org.assertj.core.api.Assertions.assertThat;

/** Pools and sending addresses from the queue to the attempt. */
@SendEnvironment.SendingWorker
class SourceSendTest {

	@Autowired
	SendingSources sources;

	private final Scope scope = Given.sender("unlimited");

	@AfterEach
	void remove() {
		Given.run("delete from pool_choice; delete from sending_pool; delete from sending_source");
	}

	private void addresses(String... names) {
		Given.run("update domain set transport = 'mx' where id = '%s'", this.scope.domain());
		Given.run("insert into sending_pool values ('main', 'wait', null, gen_random_uuid(), now())");
		for (int i = 0; i < names.length; i++) {
			Given.run("insert into sending_source values ('%1$s', '127.0.1.%2$s', null, null, null, '%1$s.mail.test', "
					+ "'active', gen_random_uuid(), now()); insert into sending_pool_member values ('main', '%1$s', 1)",
					names[i], 31 + i);
		}
		Given.run("insert into pool_choice values ('account', '%s', 'transactional', 'main')", this.scope.account());
		await("the choice of the pool",
				() -> this.sources.known()
					.choices()
					.stream()
					.anyMatch((choice) -> choice.key().equals(this.scope.account().toString())));
	}

	@Test
	void anAddressThatIsPausedLosesAndRepeatsNoMail() {
		addresses("one", "two");
		awaitKnown("one", "ACTIVE");
		DNS.publish("A", "pooled.test", "127.0.0.31");
		try (ScriptedSmtpServer server = new ScriptedSmtpServer(InetAddress.ofLiteral("127.0.0.31"), SMTP.port())) {
			List<UUID> mails = IntStream.range(0, 300)
				.mapToObj((i) -> Given.mail(this.scope, i + "@pooled.test"))
				.toList();
			await("mail from both addresses",
					() -> server.mails().stream().map(ScriptedSmtpServer.Mail::client).distinct().count() == 2);
			Given.run("update sending_source set state = 'paused' where name = 'one'");
			awaitKnown("one", "PAUSED");
			mails.forEach((mail) -> awaitLastEvent("delivered", mail));
			assertThat(server.mails()).extracting(ScriptedSmtpServer.Mail::rcptTo).doesNotHaveDuplicates().hasSize(300);
			assertThat(server.mails().getLast().client()).isEqualTo("two.mail.test");
			assertThat(Given.rows("select distinct source || ' ' || attempt || ' ' || outcome from delivery_attempt "
					+ "where account_id = '%s' order by 1", this.scope.account()))
				.containsExactly("127.0.1.31 1 delivered", "127.0.1.32 1 delivered");
		}
	}

	@Test
	void mailOfAnEmptyPoolWaitsWithoutAnAttempt() {
		addresses();
		await("the pool", () -> this.sources.known().pools().containsKey("main"));
		DNS.publish("A", "empty.test", "127.0.0.32");
		try (ScriptedSmtpServer server = new ScriptedSmtpServer(InetAddress.ofLiteral("127.0.0.32"), SMTP.port())) {
			UUID mail = Given.mail(this.scope, "a@empty.test");
			await("the mail to wait",
					() -> Given.rows("select ready from queue where email_id = '%s'", mail).equals(List.of("f")));
			assertThat(server.sessions()).isZero();
			Given.run("insert into sending_source values ('one', '127.0.1.33', null, null, null, 'one.mail.test', "
					+ "'active', gen_random_uuid(), now()); insert into sending_pool_member values ('main', 'one', 1)");
			awaitLastEvent("delivered", mail);
			assertThat(attempts(mail)).containsExactly("1 delivered");
			assertThat(server.mails()).singleElement()
				.satisfies((one) -> assertThat(one.peer()).isEqualTo("127.0.1.33"));
		}
	}

	@Test
	void aWarmUpGrantsItsAllowanceOnceAndTheRestLeavesFromOtherAddresses() {
		addresses("one", "two");
		Given.run("insert into source_warmup values ('one', '{5,10}', '{5,10}', gen_random_uuid(), now())");
		await("the warm-up", () -> this.sources.known().warmups().containsKey("one"));
		DNS.publish("A", "warm.test", "127.0.0.33");
		try (ScriptedSmtpServer server = new ScriptedSmtpServer(InetAddress.ofLiteral("127.0.0.33"), SMTP.port())) {
			deliver("first", 200);
			assertThat(clients(server)).containsOnly("one.mail.test", "two.mail.test");
			assertThat(count(server, "one.mail.test")).isEqualTo(5);
			assertThat(Given.rows("select used || ' of ' || allowance || ', ' || over from source_warmup_day"))
				.containsExactly("5 of 5, 0");
			Given.run("update source_warmup_day set day = day - 3");
			await("the allowance of the next day to be asked for", () -> {
				Given.mail(this.scope, "next@warm.test");
				return count(server, "one.mail.test") > 5;
			});
			deliver("second", 200);
			await("the others to be sent",
					() -> Given.rows("select id from queue where account_id = '%s'", this.scope.account()).isEmpty());
			assertThat(count(server, "one.mail.test")).as("the next sending day").isEqualTo(15);
			// Without another address.
			Given.run("update sending_source set state = 'paused' where name = 'two'");
			awaitKnown("two", "PAUSED");
			UUID urgent = Given.mail(this.scope, "urgent@warm.test");
			awaitLastEvent("delivered", urgent);
			assertThat(count(server, "one.mail.test")).isEqualTo(16);
			await("the excess to be counted",
					() -> Given.rows("select sum(over) from source_warmup_day").equals(List.of("1")));
			Given.run("insert into pool_choice values ('account', '%s', 'campaign', 'main')", this.scope.account());
			await("the choice", () -> this.sources.known().choices().size() == 2);
			UUID waiting = Given.unqueued(this.scope, "campaign@warm.test");
			Given.queue(waiting, Duration.ofHours(1));
			Given.run("update queue set campaign = true, due_at = now() where email_id = '%s'", waiting);
			await("the mail of a campaign to wait for the next day",
					() -> Given
						.rows("select attempt from queue where email_id = '%s' and not ready and due_at > now() and "
								+ "(due_at at time zone 'UTC')::date = (now() at time zone 'UTC')::date + 1", waiting)
						.equals(List.of("0")));
			Given.run("delete from queue where email_id = '%s'", waiting);
		}
	}

	private void deliver(String name, int count) {
		List<UUID> mails = IntStream.range(0, count)
			.mapToObj((i) -> Given.mail(this.scope, name + i + "@warm.test"))
			.toList();
		mails.forEach((mail) -> awaitLastEvent("delivered", mail));
	}

	private static List<String> clients(ScriptedSmtpServer server) {
		return server.mails().stream().map(ScriptedSmtpServer.Mail::client).toList();
	}

	private static long count(ScriptedSmtpServer server, String client) {
		return clients(server).stream().filter(client::equals).count();
	}

	private void awaitKnown(String source, String state) {
		await(source + " " + state, () -> this.sources.known().sources().containsKey(source)
				&& this.sources.known().sources().get(source).state().name().equals(state));
	}

}
