package dev.mailroom.mail.queue;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import dev.mailroom.database.Transactions;
import dev.mailroom.mail.outcome.FenceStep;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class HeldDestinationTest {

	@Autowired
	Queue queue;

	@Autowired
	Holds holds;

	@Autowired
	Transactions transactions;

	private final Scope scope = Given.sender("unlimited");

	private final String domain = this.scope.account() + ".test";

	@BeforeEach
	void settleOtherAccounts() {
		Given.emptyQueueExceptFor(this.scope.account());
	}

	@Test
	void theFenceHoldsLeasedMailToAHeldDestinationWithoutAnAttempt() {
		Given.mail(this.scope, "a@" + this.domain);
		UUID other = Given.mail(this.scope, "a@other.test");
		List<Lease> leases = lease();
		hold(this.domain);
		assertThat(this.queue.fence(leases, FenceStep.LIMIT).handOvers()).extracting(HandOver::emailId)
			.containsExactly(other);
		assertThat(held()).isEqualTo("1 0");
		assertThat(lease()).isEmpty();
	}

	@Test
	void heldMailIsDueAfterTheReleaseAndTheHoldIsRemoved() {
		IntStream.range(0, 7).forEach((i) -> Given.mail(this.scope, i + "@" + this.domain));
		hold(this.domain);
		this.queue.hold(lease());
		assertThat(held()).isEqualTo("7 0");
		assertThat(await(this.transactions.acrossAccounts(this.holds.release(this.domain)))).isTrue();
		assertThat(this.queue.releaseDestinations()).isEqualTo(7);
		assertThat(lease()).hasSize(7);
		assertThat(Given.rows("select destination from destination_hold where destination = '%s'", this.domain))
			.isEmpty();
		assertThat(await(this.transactions.acrossAccounts(this.holds.release(this.domain)))).isFalse();
	}

	@Test
	void heldMailIsNotMarkedAsDueAndItsHoldDoesNotCountAsLateness() {
		UUID mail = Given.mail(this.scope, "a@" + this.domain);
		Given.due(mail, "-1 hour");
		hold(this.domain);
		this.queue.hold(lease());
		assertThat(lease()).isEmpty();
		assertThat(Given.rows("select due_at < now() - interval '1 hour' from queue where email_id = '%s'", mail))
			.containsExactly("t");
		assertThat(this.queue.depth()).containsExactly(new Queue.Depth("scheduled", "transactional", 1, 0));
		await(this.transactions.acrossAccounts(this.holds.release(this.domain)));
		assertThat(this.queue.releaseDestinations()).isOne();
		assertThat(Given.rows("select ready and due_at > now() - interval '1 hour' from queue where email_id = '%s'",
				mail))
			.containsExactly("t");
	}

	@Test
	void aMailThatIsDueLaterKeepsItsTimeWhileItIsHeldAndAfterwards() {
		UUID mail = Given.mail(this.scope, "a@" + this.domain);
		List<Lease> leases = lease();
		Given.due(mail, "1 hour");
		String dueAt = "select due_at from queue where email_id = '%s'";
		List<String> before = Given.rows(dueAt, mail);
		hold(this.domain);
		this.queue.hold(leases);
		assertThat(held()).as("the lease is void").isEqualTo("null");
		Given.run("update queue set held = 'destination' where email_id = '%s'", mail);
		await(this.transactions.acrossAccounts(this.holds.release(this.domain)));
		assertThat(this.queue.releaseDestinations()).isOne();
		assertThat(Given.rows(dueAt, mail)).isEqualTo(before);
		assertThat(lease()).isEmpty();
	}

	@Test
	void aHoldEndsByItselfAtItsTime() {
		Given.mail(this.scope, "a@" + this.domain);
		hold(this.domain);
		this.queue.hold(lease());
		assertThat(this.queue.releaseDestinations()).isZero();
		Given.run("update destination_hold set until = now() - interval '1 second' where destination = '%s'",
				this.domain);
		assertThat(this.queue.releaseDestinations()).isOne();
		assertThat(lease()).hasSize(1);
	}

	@Test
	void leasesThatAreNotHeldStayReady() {
		Given.mail(this.scope, "a@" + this.domain);
		this.queue.hold(lease());
		assertThat(lease()).hasSize(1);
	}

	@Test
	void aReleaseThatFailsIsRepeatedAndDelaysNoOther() {
		Given.mail(this.scope, "a@" + this.domain);
		String broken = "a-broken-" + this.domain;
		Given.mail(this.scope, "a@" + broken);
		hold(this.domain);
		hold(broken);
		this.queue.hold(lease());
		Given.run("create function refuse_release() returns trigger language plpgsql as "
				+ "'begin raise exception ''refused''; end'");
		Given.run("create trigger refuse_release before update on queue for each row "
				+ "when (old.destination = '%s') execute function refuse_release()", broken);
		try {
			await(this.transactions.acrossAccounts(this.holds.release(this.domain)));
			await(this.transactions.acrossAccounts(this.holds.release(broken)));
			assertThat(this.queue.releaseDestinations()).isOne();
			assertThat(lease()).hasSize(1);
		}
		finally {
			Given.run("drop trigger refuse_release on queue");
			Given.run("drop function refuse_release()");
		}
		assertThat(this.queue.releaseDestinations()).isOne();
	}

	@Test
	void nothingPassesTheFenceWhileTheQueueIsPaused() {
		Given.mail(this.scope, "a@" + this.domain);
		List<Lease> leases = lease();
		pause(false);
		pause(true);
		try {
			Fenced fenced = this.queue.fence(leases, FenceStep.LIMIT);
			assertThat(fenced.handOvers()).isEmpty();
			assertThat(fenced.barred()).isEmpty();
			assertThat(lease()).isEmpty();
		}
		finally {
			Given.run("delete from queue_pause");
		}
		assertThat(this.queue.fence(lease(), FenceStep.LIMIT).handOvers()).hasSize(1)
			.allMatch((handOver) -> handOver.attempt() == 0);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void mailOfAPausedStreamReturnsToTheQueueWhileTheOtherGoesOn(boolean campaign) {
		UUID paused = Given.mail(this.scope, "a@" + this.domain);
		UUID other = Given.mail(this.scope, "b@" + this.domain);
		Given.run("update queue set campaign = (email_id = '%s') = %s where account_id = '%s'", paused, campaign,
				this.scope.account());
		List<Lease> leases = lease();
		assertThat(leases).hasSize(2);
		pause(campaign);
		try {
			assertThat(this.queue.fence(leases, FenceStep.LIMIT).handOvers()).singleElement()
				.satisfies((handOver) -> assertThat(handOver.emailId()).isEqualTo(other));
			assertThat(Given.rows("select attempt || ' ' || ready from queue where email_id = '%s'", paused))
				.containsExactly("0 true");
			assertThat(lease()).isEmpty();
			UUID later = Given.mail(this.scope, "c@" + this.domain);
			Given.run("update queue set campaign = %s where email_id = '%s'", !campaign, later);
			assertThat(this.queue.fence(lease(), FenceStep.LIMIT).handOvers()).singleElement()
				.satisfies((handOver) -> assertThat(handOver.emailId()).isEqualTo(later));
		}
		finally {
			Given.run("delete from queue_pause");
		}
		assertThat(this.queue.fence(lease(), FenceStep.LIMIT).handOvers()).singleElement()
			.satisfies((handOver) -> assertThat(handOver.emailId()).isEqualTo(paused));
	}

	private void pause(boolean campaign) {
		Given.run("insert into queue_pause (campaign, reason, paused_by, paused_at) values (%s, 'test', '%s', now())",
				campaign, this.scope.account());
	}

	private void hold(String destination) {
		await(this.transactions.acrossAccounts(this.holds
			.hold(new Holds.DestinationHold(destination, "test", this.scope.account(), Instant.EPOCH, null))
			.thenReturn(true)));
	}

	private List<Lease> lease() {
		return LeaseStep.lease(this.queue);
	}

	/** The number of held rows, and their attempts. */
	private String held() {
		return Given
			.rows("select count(*) || ' ' || sum(attempt) from queue where destination = '%s' and held = 'destination'",
					this.domain)
			.getFirst();
	}

}
