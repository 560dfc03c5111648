package dev.mailroom.campaign;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.TestDatabase;
import dev.mailroom.WithCore;
import dev.mailroom.database.Transactions;
import dev.mailroom.mail.outcome.FenceStep;
import dev.mailroom.mail.queue.HandOver;
import dev.mailroom.mail.queue.Holds;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.LeaseStep;
import dev.mailroom.mail.queue.Queue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/** Mail that waits for its campaign and for its destination. */
@WithCore
class HeldCampaignMailTest {

	@Autowired
	Campaigns campaigns;

	@Autowired
	CampaignFanOut fanOut;

	@Autowired
	Queue queue;

	@Autowired
	Holds holds;

	@Autowired
	Transactions transactions;

	private final Owner owner = new Owner();

	private final String domain = this.owner.domain + ".test";

	@BeforeEach
	void settleOtherAccounts() {
		Given.emptyQueueExceptFor(this.owner.scope.account());
	}

	@ParameterizedTest
	@CsvSource({ "false,false", "false,true", "true,false", "true,true" })
	void mailThatWaitsForBothLeavesWhenBothHoldsHaveEnded(boolean pausedFirst, boolean resumedFirst) {
		UUID id = fannedOut();
		if (pausedFirst) {
			await(this.campaigns.pause(this.owner.scope, id));
		}
		hold();
		assertThat(handedOver()).isEmpty();
		if (!pausedFirst) {
			await(this.campaigns.pause(this.owner.scope, id));
		}
		assertThat(held(id)).containsOnly(pausedFirst ? "campaign" : "destination").hasSize(2);
		if (resumedFirst) {
			await(this.campaigns.resume(this.owner.scope, id));
			assertThat(handedOver()).isEmpty();
			assertThat(held(id)).containsOnly("destination").hasSize(2);
			release();
		}
		else {
			release();
			assertThat(handedOver()).isEmpty();
			assertThat(held(id)).containsOnly("campaign").hasSize(2);
			await(this.campaigns.resume(this.owner.scope, id));
		}
		assertThat(handedOver()).hasSize(2).extracting(HandOver::attempt).containsOnly(0);
		assertThat(held(id)).isEmpty();
	}

	@Test
	void aPauseKeepsTheDueTimesAndDoesNotCountAsLateness() {
		UUID id = fannedOut();
		Given.run("update queue set due_at = now() - interval '1 hour' where campaign_id = '%s'", id);
		String late = "select due_at < now() - interval '1 hour' from queue where campaign_id = '%s'";
		await(this.campaigns.pause(this.owner.scope, id));
		assertThat(Given.rows(late, id)).containsExactly("t", "t");
		assertThat(handedOver()).isEmpty();
		await(this.campaigns.resume(this.owner.scope, id));
		assertThat(Given.rows(late, id)).containsExactly("f", "f");
	}

	@Test
	void mailThatIsLeasedWhileAPauseIsInProgressIsHeldWhenItHasEnded() throws SQLException {
		UUID id = fannedOut();
		List<String> mails = Given.rows("select id from queue where campaign_id = '%s' order by id", id);
		Given.run("update queue set ready = false where id = '%s'", mails.getFirst());
		CompletableFuture<Campaign> paused;
		List<Lease> leases;
		try (Connection other = TestDatabase.connect("mailroom"); Statement statement = other.createStatement()) {
			other.setAutoCommit(false);
			statement.execute("select id from queue where id = '" + mails.getLast() + "' for update");
			paused = this.campaigns.pause(this.owner.scope, id).toFuture();
			Await.until("the pause waits for the other transaction",
					() -> !Given
						.rows("select pid from pg_stat_activity where wait_event_type = 'Lock' and query like '%%%s%%'",
								"held = ''campaign''")
						.isEmpty());
			Given.run("update queue set ready = true where id = '%s'", mails.getFirst());
			leases = LeaseStep.lease(this.queue);
			assertThat(leases).isNotEmpty();
			other.rollback();
		}
		await(Mono.fromFuture(paused));
		assertThat(held(id)).containsExactly("campaign", "campaign");
		assertThat(this.queue.fence(leases, FenceStep.LIMIT).handOvers()).isEmpty();
	}

	/** A running campaign with two mails in the queue. */
	private UUID fannedOut() {
		UUID id = await(this.campaigns.create(this.owner.scope, this.owner.form("n", null, "Hello", null))).id();
		await(this.campaigns.start(this.owner.scope, id));
		this.fanOut.next(new CampaignFanOut.Running(id, this.owner.scope.account(), false));
		Given.run("update queue set destination = '%s' where campaign_id = '%s'", this.domain, id);
		return id;
	}

	private List<HandOver> handedOver() {
		List<Lease> leases = LeaseStep.lease(this.queue);
		return this.queue.fence(leases, FenceStep.LIMIT).handOvers();
	}

	private void hold() {
		Holds.DestinationHold hold = new Holds.DestinationHold(this.domain, "test", this.owner.scope.account(),
				Instant.EPOCH, null);
		await(this.transactions.acrossAccounts(this.holds.hold(hold).thenReturn(true)));
	}

	private void release() {
		await(this.transactions.acrossAccounts(this.holds.release(this.domain)));
		this.queue.releaseDestinations();
	}

	private static List<String> held(UUID campaign) {
		return Given.rows("select held from queue where campaign_id = '%s' and held is not null", campaign);
	}

}
