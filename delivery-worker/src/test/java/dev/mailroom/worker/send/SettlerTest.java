package dev.mailroom.worker.send;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.mail.outcome.Bounce;
import dev.mailroom.mail.outcome.Outcome;
import dev.mailroom.mail.outcome.Settlement;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.observability.LoggedMail;
import dev.mailroom.worker.dispatch.LoopHealth;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.health.contributor.Status;

import static org.assertj.core.api.Assertions.assertThat;

/** Settlements that fail in this process or are refused by the database. */
@SendEnvironment.SendingWorker
class SettlerTest {

	@Autowired
	Settler settler;

	@Autowired
	LoopHealth health;

	private final Scope scope = Given.sender("unlimited");

	@Test
	void aSettlementThatFailsIsWrittenOffAsADeadLetterAndTheOthersAreSettled() throws Exception {
		Lease sound = leased("sound@settler.test");
		Lease faulty = leased("faulty@settler.test");
		Lease refused = leased("refused@settler.test");
		Settlement.Attempt unwritable = new Settlement.Attempt(Clock.systemUTC().instant(), Duration.ZERO, "relay",
				"host", "127.0.0.1", "", "a NUL: \0", null);
		List.of(settle(sound, new Outcome.Delivered("250 ok")),
				settle(faulty, new Outcome.Bounced((Bounce.Reason) null, "550 no")), this.settler.settle(
						new Settlement(refused, new Outcome.Delivered("250 ok"), unwritable), LoggedMail.of(refused)))
			.forEach((settled) -> Await.until("it is settled", settled::isDone));
		assertThat(status(sound)).isEqualTo("delivered");
		assertThat(status(faulty)).isEqualTo("failed");
		assertThat(status(refused)).as("settled without the attempt").isEqualTo("delivered");
		assertThat(Given.rows("select why from dead_letter where delivery_id = '%s'", faulty.delivery()))
			.singleElement()
			.asString()
			.contains("Bounced", "NullPointerException");
		assertThat(Await.await(this.health.health()).getStatus()).isEqualTo(Status.UP);
	}

	@Test
	void aSettlementThatAlwaysFailsWithAnUnknownStateIsWrittenOff() {
		Lease sound = leased("sound@state.test");
		Lease faulty = leased("faulty@state.test");
		Given.run("create function refuse_settlement() returns trigger language plpgsql as "
				+ "'begin raise exception ''internal'' using errcode = ''XX000''; end'");
		Given.run(
				"create trigger refuse_settlement before update on delivery for each row "
						+ "when (new.id = '%s' and new.status = 'delivered') execute function refuse_settlement()",
				faulty.delivery());
		try {
			List.of(settle(sound, new Outcome.Delivered("250 ok")), settle(faulty, new Outcome.Delivered("250 ok")))
				.forEach((settled) -> Await.until("it is settled", settled::isDone));
		}
		finally {
			Given.run("drop trigger refuse_settlement on delivery");
			Given.run("drop function refuse_settlement()");
		}
		assertThat(status(sound)).isEqualTo("delivered");
		assertThat(status(faulty)).isEqualTo("failed");
		assertThat(Given.rows("select why from dead_letter where delivery_id = '%s'", faulty.delivery())).hasSize(1);
	}

	private CompletableFuture<Void> settle(Lease lease, Outcome outcome) {
		return this.settler.settle(new Settlement(lease, outcome), LoggedMail.of(lease));
	}

	private Lease leased(String recipient) {
		SendEnvironment.pause(this.scope.account());
		UUID mail = Given.mail(this.scope, recipient);
		Given.leased(mail, 6);
		Given.inData(mail);
		return new Lease(UUID.fromString(Given.rows("select id from delivery where email_id = '%s'", mail).getFirst()),
				7);
	}

	private static String status(Lease lease) {
		return Given.rows("select status from delivery where id = '%s'", lease.delivery()).getFirst();
	}

}
