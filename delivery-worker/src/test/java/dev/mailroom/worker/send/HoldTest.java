package dev.mailroom.worker.send;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.database.Transactions;
import dev.mailroom.mail.queue.Holds;
import dev.mailroom.mail.queue.Route;
import dev.mailroom.worker.dispatch.HoldWatch;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.worker.send.SendEnvironment.await;
import static dev.mailroom.worker.send.SendEnvironment.awaitSettled;
import static dev.mailroom.worker.send.SendEnvironment.received;
import static org.assertj.core.api.Assertions.assertThat;

/** Destinations that operators hold, and the pause of the queue. */
@SendEnvironment.SendingWorker
class HoldTest {

	@Autowired
	Holds holds;

	@Autowired
	HoldWatch watch;

	@Autowired
	Transactions transactions;

	private final Scope scope = Given.sender("unlimited");

	private final String domain = "held-" + this.scope.account() + ".test";

	@Test
	void mailToAHeldDestinationWaitsWithoutAttemptsAndIsHandedOverOnceAfterTheRelease() {
		long delivered = Long
			.parseLong(Given.rows("select coalesce(sum(delivered), 0) from traffic where period = 'day'").getFirst());
		Holds.DestinationHold hold = new Holds.DestinationHold(this.domain, "test", this.scope.account(), Instant.EPOCH,
				null);
		Await.await(this.transactions.acrossAccounts(this.holds.hold(hold).thenReturn(true)));
		List<UUID> mails = IntStream.range(0, 20)
			.mapToObj((i) -> Given.mail(this.scope, i + "@" + this.domain))
			.toList();
		UUID other = Given.mail(this.scope, "a@free-" + this.domain);
		awaitSettled(other);
		await("all mail to the destination is held", () -> rows(
				"select count(*) from queue where account_id = '%s' " + "and held = 'destination' and attempt = 0")
			.equals("20"));
		assertThat(received("@" + this.domain)).isEmpty();
		Await.await(this.transactions.acrossAccounts(this.holds.release(this.domain)));
		mails.forEach(SendEnvironment::awaitSettled);
		assertThat(received("@" + this.domain)).hasSize(20).extracting((mail) -> mail.rcptTo()).doesNotHaveDuplicates();
		mails.forEach((mail) -> assertThat(SendEnvironment.attempts(mail)).containsExactly("1 delivered"));
		await("the deliveries in the counts of the platform",
				() -> Long.parseLong(
						Given.rows("select coalesce(sum(delivered), 0) from traffic where period = 'day'").getFirst())
						- delivered >= 20);
		await("the hand-overs in the worker's report",
				() -> Given
					.rows("select handed || ' ' || circuit from destination_report where destination = '%s'",
							this.domain)
					.equals(List.of("20 closed")));
	}

	@Test
	void nothingIsBegunWhileTheQueueIsPaused() {
		try {
			for (boolean campaign : List.of(false, true)) {
				Holds.QueuePause pause = new Holds.QueuePause(campaign, "test", this.scope.account(), Instant.EPOCH);
				Await.await(this.transactions.acrossAccounts(this.holds.pause(pause)));
			}
			await("the worker has read the pause", this.watch::isPaused);
			UUID mail = Given.mail(this.scope, "a@" + this.domain);
			Given.run("select pg_notify('mailroom_due', '')");
			// The worker reads the stops and polls the queue meanwhile.
			readNewHold();
			assertThat(rows("select phase || ' ' || attempt from delivery_state where account_id = '%s'"))
				.isEqualTo("queued 0");
			Instant resumed = Clock.systemUTC().instant();
			resume();
			awaitSettled(mail);
			assertThat(Given.rows("select began_at > '%s' from delivery_attempt where email_id = '%s'", resumed, mail))
				.containsExactly("t");
		}
		finally {
			resume();
		}
	}

	/** Waits until the worker has read a hold that begins now. */
	private void readNewHold() {
		String name = "later-" + this.domain;
		Holds.DestinationHold hold = new Holds.DestinationHold(name, "test", this.scope.account(), Instant.EPOCH, null);
		Await.await(this.transactions.acrossAccounts(this.holds.hold(hold).thenReturn(true)));
		await("the worker has read the hold",
				() -> this.watch.isHeld(new Route(this.scope.account(), name, null, false)));
		Await.await(this.transactions.acrossAccounts(this.holds.release(name)));
	}

	private void resume() {
		for (boolean campaign : List.of(false, true)) {
			Await.await(this.transactions.acrossAccounts(this.holds.resume(campaign)));
		}
	}

	private String rows(String query) {
		return Given.rows("%s", query.formatted(this.scope.account())).getFirst();
	}

}
