package dev.mailroom.worker.send;

import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.ScriptedSmtpServer;
import dev.mailroom.mail.outcome.DeliveryReport;
import dev.mailroom.mail.outcome.FeedbackReport;
import dev.mailroom.mail.outcome.Outcomes;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.operator.Workers;
import dev.mailroom.source.SendingSources;
import dev.mailroom.source.SourceWarmup;
import dev.mailroom.worker.dispatch.LeaseBytes;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.kafka.test.EmbeddedKafkaBroker;

import static dev.mailroom.worker.send.SendEnvironment.DNS;
import static dev.mailroom.worker.send.SendEnvironment.SMTP;
import static dev.mailroom.worker.send.SendEnvironment.attempts;
import static dev.mailroom.worker.send.SendEnvironment.await;
import static dev.mailroom.worker.send.SendEnvironment.awaitLastEvent;
import static org.assertj.core.api.Assertions.assertThat;

/** Pools and sending addresses from the queue to the attempt. */
@SendEnvironment.SendingWorker
class SourceSendTest {

	/** Time within which a pause ends the use of an address. */
	private static final Duration PAUSE = Duration.ofSeconds(5);

	@Autowired
	SendingSources sources;

	@Autowired
	EmbeddedKafkaBroker broker;

	@Autowired
	Outcomes outcomes;

	@Autowired
	MeterRegistry meters;

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
			String pausedAt = Given.rows("select now()").getFirst();
			Given.run("update sending_source set state = 'paused' where name = 'one'");
			Await.until("the pause within five seconds", PAUSE, () -> isKnown("one", "PAUSED"));
			List<UUID> later = IntStream.range(300, 320)
				.mapToObj((i) -> Given.mail(this.scope, i + "@pooled.test"))
				.toList();
			Stream.concat(mails.stream(), later.stream()).forEach((mail) -> awaitLastEvent("delivered", mail));
			assertThat(server.mails()).extracting(ScriptedSmtpServer.Mail::rcptTo).doesNotHaveDuplicates().hasSize(320);
			assertThat(server.mails()).filteredOn((mail) -> mail.rcptTo().matches("3[01]\\d@.*"))
				.extracting(ScriptedSmtpServer.Mail::client)
				.containsOnly("two.mail.test");
			assertThat(Given.rows(
					"select count(*) from delivery_attempt where account_id = '%s' and source = '127.0.1.31' "
							+ "and began_at > '%s'::timestamptz + interval '5 seconds'",
					this.scope.account(), pausedAt))
				.containsExactly("0");
			assertThat(Given.rows("select distinct source || ' ' || attempt || ' ' || outcome from delivery_attempt "
					+ "where account_id = '%s' order by 1", this.scope.account()))
				.containsExactly("127.0.1.31 1 delivered", "127.0.1.32 1 delivered");
		}
	}

	@Test
	void aDeferredMailIsRetriedFromItsAddressAndFromAnotherOnceThatIsPaused() {
		addresses("one", "two");
		awaitKnown("two", "ACTIVE");
		DNS.publish("MX", "retried.test", "10 mx01.mail.icloud.com");
		DNS.publish("A", "mx01.mail.icloud.com", "127.0.0.35");
		try (ScriptedSmtpServer server = new ScriptedSmtpServer(InetAddress.ofLiteral("127.0.0.35"), SMTP.port())) {
			server.answer("RCPT", "450 4.2.1 The mailbox is busy");
			UUID mail = Given.mail(this.scope, "a@retried.test");
			await("the first retry", () -> sources(mail).size() == 2);
			String first = sources(mail).getFirst();
			assertThat(sources(mail)).containsExactly(first, first);
			String used = first.equals("127.0.1.31") ? "one" : "two";
			Given.run("update sending_source set state = 'paused' where name = '%s'", used);
			awaitKnown(used, "PAUSED");
			server.behave();
			await("the mail to be delivered", () -> {
				Given.run("update queue set due_at = now() where email_id = '%s' and due_at > now()", mail);
				return attempts(mail).contains("3 delivered");
			});
			assertThat(sources(mail)).containsExactly(first, first,
					first.equals("127.0.1.31") ? "127.0.1.32" : "127.0.1.31");
			await("the attempts to be counted by pool, provider and result",
					() -> this.meters.find("mailroom.pool.attempts")
						.tags("pool", "main", "provider", "apple")
						.counters()
						.stream()
						.collect(Collectors.toMap((counter) -> counter.getId().getTag("result"), Counter::count))
						.equals(Map.of("deferred", 2.0, "delivered", 1.0)));
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
	void mailForAddressesOfAnotherGroupOfWorkersGoesToItsTopic() {
		addresses();
		Given.run("insert into sending_source values ('far', '192.0.2.1', null, null, null, 'far.mail.test', 'active', "
				+ "gen_random_uuid(), now()); insert into source_seen values (gen_random_uuid(), 'far', true, false, now(), "
				+ "'far'); insert into sending_pool_member values ('main', 'far', 1)");
		await("the group", () -> this.sources.groups().containsKey("far"));
		DNS.publish("A", "far.test", "127.0.0.34");
		try (ScriptedSmtpServer server = new ScriptedSmtpServer(InetAddress.ofLiteral("127.0.0.34"), SMTP.port())) {
			UUID mail = Given.mail(this.scope, "a@far.test");
			try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
					Map.of("bootstrap.servers", this.broker.getBrokersAsString(), "group.id", "far",
							"auto.offset.reset", "earliest", "metadata.max.age.ms", "500"),
					new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
				consumer.subscribe(List.of("mailroom.deliveries.far"));
				List<Lease> leases = new ArrayList<>();
				await("a lease for the other group", () -> {
					consumer.poll(Duration.ofMillis(500))
						.forEach((record) -> leases.add(LeaseBytes.read(record.value()).orElseThrow()));
					return !leases.isEmpty();
				});
				assertThat(leases.getFirst().route().domain()).isEqualTo("far.test");
			}
			assertThat(attempts(mail)).isEmpty();
			// The group ends, and this worker gets an address of the pool.
			Given.run("delete from source_seen where source = 'far'; "
					+ "insert into sending_source values ('one', '127.0.1.34', null, null, null, 'one.mail.test', "
					+ "'active', gen_random_uuid(), now()); insert into sending_pool_member values ('main', 'one', 1)");
			awaitLastEvent("delivered", mail);
			assertThat(attempts(mail)).containsExactly("1 delivered");
			assertThat(server.mails()).singleElement()
				.satisfies((one) -> assertThat(one.peer()).isEqualTo("127.0.1.34"));
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
			// Two reports for the last sending day: one for mail of another address.
			UUID reported = UUID.fromString(Given
				.rows("select email_id from delivery_attempt where account_id = '%s' and source = '127.0.1.31' limit 1",
						this.scope.account())
				.getFirst());
			UUID other = UUID.fromString(Given
				.rows("select email_id from delivery_attempt where account_id = '%s' and source = '127.0.1.32' limit 1",
						this.scope.account())
				.getFirst());
			complain(reported, other);
			assertThat(Given.rows("select complaints from source_warmup_day")).containsExactly("1");
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

	@Test
	void aDispatcherThatEndsGrantsNoMailOfAWarmUpTwice() {
		// The worker remembers for some seconds that another test used up its allowance.
		addresses("three", "four");
		Given.run("insert into source_warmup values ('three', '{50}', '{50}', gen_random_uuid(), now())");
		await("the warm-up", () -> this.sources.known().warmups().containsKey("three"));
		DNS.publish("A", "crash.test", "127.0.0.36");
		try (ScriptedSmtpServer server = new ScriptedSmtpServer(InetAddress.ofLiteral("127.0.0.36"), SMTP.port())) {
			List<UUID> mails = IntStream.range(0, 300)
				.mapToObj((i) -> Given.mail(this.scope, i + "@crash.test"))
				.toList();
			await("the first mails", () -> !server.mails().isEmpty());
			Given.run("select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted "
					+ "and database = (select oid from pg_database where datname = current_database()) "
					+ "and objsubid = 1 and objid = " + Workers.DISPATCHER_LOCK);
			mails.forEach((mail) -> awaitLastEvent("delivered", mail));
			assertThat(server.mails()).extracting(ScriptedSmtpServer.Mail::rcptTo).doesNotHaveDuplicates().hasSize(300);
			// A grant may be lost with the dispatcher; none is given out twice.
			assertThat(Given.rows(
					"select 'no more than granted' from source_warmup_day "
							+ "where used between %s and allowance and allowance = 50 and over = 0",
					count(server, "three.mail.test")))
				.hasSize(1);
		}
	}

	@Test
	void aWarmUpEndsWhenNoProviderHasALimit() {
		addresses("one");
		Given.run("insert into source_warmup values ('one', '{5}', '{5}', gen_random_uuid(), now())");
		await("the warm-up", () -> this.sources.known().warmups().containsKey("one"));
		SourceWarmup warmup = this.sources.known().warmups().get("one");
		for (String provider : SourceWarmup.PROVIDERS) {
			assertThat(this.sources.take(warmup, provider)).isTrue();
		}
		Given.run("update source_warmup_day set day = day - 1");
		for (String provider : SourceWarmup.PROVIDERS.subList(0, 4)) {
			assertThat(this.sources.take(warmup, provider)).isTrue();
		}
		assertThat(this.sources.read().warmups().get("one").finished())
			.containsExactlyInAnyOrderElementsOf(SourceWarmup.PROVIDERS.subList(0, 4));
		assertThat(this.sources.take(warmup, SourceWarmup.PROVIDERS.getLast())).isTrue();
		assertThat(this.sources.read().warmups()).isEmpty();
	}

	private void complain(UUID... mails) {
		this.outcomes.recordFeedback(Stream.of(mails)
			.flatMap((mail) -> Given.rows("select id from delivery_state where email_id = '%s'", mail).stream())
			.map((id) -> new FeedbackReport(this.scope.account(), UUID.fromString(id),
					new DeliveryReport.Complained("abuse")))
			.toList());
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

	/** The addresses of the attempts, in their order. */
	private static List<String> sources(UUID mail) {
		return Given.rows("select source from delivery_attempt where email_id = '%s' order by id", mail);
	}

	private void awaitKnown(String source, String state) {
		await(source + " " + state, () -> isKnown(source, state));
	}

	private boolean isKnown(String source, String state) {
		return this.sources.known().sources().containsKey(source)
				&& this.sources.known().sources().get(source).state().name().equals(state);
	}

}
