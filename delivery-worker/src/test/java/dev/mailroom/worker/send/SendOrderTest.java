package dev.mailroom.worker.send;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.Route;
import dev.mailroom.worker.smtp.client.Transports;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.worker.send.SendEnvironment.SMTP;
import static dev.mailroom.worker.send.SendEnvironment.await;
import static dev.mailroom.worker.send.SendEnvironment.awaitSettled;
import static dev.mailroom.worker.send.SendEnvironment.pause;
import static dev.mailroom.worker.send.SendEnvironment.received;
import static dev.mailroom.worker.send.SendEnvironment.resume;
import static org.assertj.core.api.Assertions.assertThat;

/** Mails of one batch, one after another, while a server is slow or the worker stops. */
@SendEnvironment.SendingWorker
class SendOrderTest {

	@Autowired
	SenderThreads sender;

	@Autowired
	LeaseQueue leaseQueue;

	@Autowired
	Revocations revocations;

	@Autowired
	Transports transports;

	private final Scope scope = Given.sender("unlimited");

	@AfterEach
	void resetRelay() {
		SMTP.behave();
	}

	/** Starts the threads again, which end when their queue is closed. */
	private void restart() {
		this.sender.stop();
		this.sender.start();
	}

	@Test
	void anOutcomeIsSettledWhileALaterMailOfTheBatchIsInProgress() throws Exception {
		CountDownLatch release = SMTP.hold("RCPT second@batch.test");
		UUID mail = leased("first@batch.test", "second@batch.test", "third@batch.test");
		Thread sending = send(mail);
		await("the first settled while the second is in progress",
				() -> phases(mail).equals(List.of("done", "in_data", "in_data")));
		release.countDown();
		sending.join();
		assertThat(phases(mail)).containsOnly("done");
	}

	@Test
	void nothingIsBegunAfterAStopAndWhatWasDoneIsSettled() throws Exception {
		CountDownLatch release = SMTP.hold("RCPT first@stop.test");
		UUID mail = leased("first@stop.test", "second@stop.test", "third@stop.test");
		Thread sending = send(mail);
		await("the first mail in progress", () -> SMTP.commands().contains("RCPT TO:<first@stop.test>"));
		this.leaseQueue.close();
		release.countDown();
		sending.join();
		assertThat(received("@stop.test")).hasSize(1);
		assertThat(phases(mail)).containsExactly("done", "queued", "queued");
		assertThat(Given.rows("select attempt from delivery_state where email_id = '%s' order by position", mail))
			.as("attempts that were not begun are not counted")
			.containsExactly("1", "0", "0");
		restart();
		awaitSettled(mail);
		assertThat(received("@stop.test")).hasSize(3);
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';',
			textBlock = """
					account.test;     update account set paused_reason = 'test' where id = '%1$s';    update account set paused_reason = null where id = '%1$s'
					destination.test; insert into destination_hold values ('destination.test', 'test', '%1$s', now()); update destination_hold set released_at = now() where destination = 'destination.test'
					stream.test;      insert into queue_pause values (false, 'test', '%1$s', now());  delete from queue_pause
					""")
	void aStopReachesTheMailsBehindTheFenceThatAreNotBegun(String domain, String stop, String end) throws Exception {
		CountDownLatch release = SMTP.hold("RCPT first@" + domain);
		UUID mail = leased("first@" + domain, "second@" + domain, "third@" + domain);
		Thread sending = send(mail);
		await("the first mail in progress", () -> SMTP.commands().contains("RCPT TO:<first@" + domain + ">"));
		try {
			Given.run("%s", stop.formatted(this.scope.account()));
			this.revocations.check();
			release.countDown();
			sending.join();
			assertThat(received("@" + domain)).hasSize(1);
			assertThat(Given.rows("select attempt from delivery_state where email_id = '%s' order by position", mail))
				.as("attempts that were not begun are not counted")
				.containsExactly("1", "0", "0");
		}
		finally {
			Given.run("%s", end.formatted(this.scope.account()));
		}
		awaitSettled(mail);
		assertThat(received("@" + domain)).hasSize(3);
	}

	@Test
	void aMailThatDidNotBeginInTimeIsFencedAgainAndItsSuppressionApplies() throws Exception {
		CountDownLatch first = SMTP.hold("RCPT first@slow-start.test");
		CountDownLatch second = SMTP.hold("RCPT second@slow-start.test");
		UUID mail = leased("first@slow-start.test", "second@slow-start.test", "third@slow-start.test",
				"fourth@slow-start.test");
		Thread sending = send(mail);
		await("all behind the fence", () -> phases(mail).stream().allMatch("in_data"::equals));
		long fenced = System.nanoTime();
		awaitElapsed(fenced, Duration.ofMillis(1600));
		first.countDown();
		await("the second in progress", () -> SMTP.commands().contains("RCPT TO:<second@slow-start.test>"));
		Given.run("insert into suppression values (gen_random_uuid(), '%s', 'third@slow-start.test', 'manual', now())",
				this.scope.account());
		awaitElapsed(fenced, Duration.ofMillis(3100));
		second.countDown();
		sending.join();
		awaitSettled(mail);
		assertThat(received("@slow-start.test")).extracting((it) -> it.rcptTo())
			.containsExactlyInAnyOrder("first@slow-start.test", "second@slow-start.test", "fourth@slow-start.test");
		assertThat(Given.rows("select status from delivery where email_id = '%s' order by position", mail))
			.containsExactly("delivered", "delivered", "suppressed", "delivered");
	}

	/** The limit of this worker is 3 s; without a setting it is 4 s. */
	@Test
	void aMailMayBeginUntilFourSecondsAfterTheFenceUnlessTheLeaseEndsBefore() {
		long fenced = System.nanoTime();
		assertThat(HandOvers.Run.deadline(fenced, fenced + Duration.ofSeconds(90).toNanos()))
			.isEqualTo(fenced + Duration.ofSeconds(4).toNanos());
		assertThat(HandOvers.Run.deadline(fenced, fenced + Duration.ofSeconds(3).toNanos()))
			.isEqualTo(fenced + Duration.ofSeconds(3).toNanos());
	}

	@Test
	void afterAStopNoLeasePassesTheFence() throws Exception {
		UUID mail = leased("none@stopped.test");
		this.leaseQueue.close();
		send(mail).join();
		assertThat(received("@stopped.test")).isEmpty();
		assertThat(Given.rows("select attempt from delivery where email_id = '%s'", mail)).containsExactly("0");
		restart();
		awaitSettled(mail);
	}

	private static void awaitElapsed(long since, Duration time) {
		await("time after the fence", () -> System.nanoTime() - since > time.toNanos());
	}

	/** Sends the deliveries of a mail as one batch, in the order of its recipients. */
	private Thread send(UUID mail) {
		List<LeaseQueue.Waiting> leases = new ArrayList<>();
		for (String row : Given.rows(
				"select id || ' ' || split_part(recipient, '@', 2) from delivery where email_id = '%s' order by position",
				mail)) {
			String[] columns = row.split(" ", -1);
			Lease lease = new Lease(UUID.fromString(columns[0]), 3,
					new Route(this.scope.account(), columns[1], null, false));
			leases.add(new LeaseQueue.Waiting(lease, System.nanoTime() + Duration.ofMinutes(1).toNanos()));
		}
		LeaseQueue.Batch batch = new LeaseQueue.Batch("test", this.transports.of(leases.getFirst().lease().route()),
				leases, new LeaseQueue.HandOverPace(), false);
		return Thread.ofVirtual().start(() -> this.sender.send(batch));
	}

	/** A mail whose deliveries are leased with epoch 3; their ids are in order. */
	private UUID leased(String... recipients) {
		pause(this.scope.account());
		UUID mail = Given.mail(this.scope, recipients);
		Given.run(
				"delete from queue where email_id = '%1$s'; update delivery "
						+ "set id = overlay(id::text placing position::text from 1)::uuid where email_id = '%1$s'",
				mail);
		Given.queue(mail);
		Given.leased(mail, 3);
		resume(this.scope.account());
		return mail;
	}

	private static List<String> phases(UUID mail) {
		return Given.rows("select phase from delivery_state where email_id = '%s' order by position", mail);
	}

}
