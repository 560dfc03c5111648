package dev.mailroom.mail.log;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import dev.mailroom.Given;
import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import dev.mailroom.mail.accept.Acceptor;
import dev.mailroom.mail.accept.CheckedMails;
import dev.mailroom.mail.accept.SendRequest;
import dev.mailroom.mail.draft.CheckedMail;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.awaitRefusal;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class ScheduleTest {

	@Autowired
	Acceptor acceptor;

	@Autowired
	Emails emails;

	@Autowired
	Schedule schedule;

	private final Scope scope = Given.sender("free");

	@Test
	void aScheduledMailCanBeRescheduled() {
		UUID id = scheduled();
		Instant later = Instant.now().plus(2, ChronoUnit.DAYS).truncatedTo(ChronoUnit.SECONDS);
		Email moved = await(this.schedule.move(this.scope, id, later.toString()));
		assertThat(moved.scheduledAt()).isEqualTo(later);
		assertThat(
				Given.rows("select extract(epoch from due_at)::bigint from delivery_state where email_id = '%s'", id))
			.containsExactly(Long.toString(later.getEpochSecond()));
	}

	@Test
	void aHeldMailThatIsRescheduledStaysHeld() {
		UUID id = scheduled();
		Given.run("update queue set due_at = now() - interval '1 hour', held = 'destination' where email_id = '%s'",
				id);
		await(this.schedule.move(this.scope, id, Instant.now().plus(2, ChronoUnit.DAYS).toString()));
		assertThat(Given.rows("select held || ' ' || (due_at > now()) from delivery_state where email_id = '%s'", id))
			.containsExactly("destination true");
	}

	@Test
	void aCancelledMailHasFailedAndItsQuotaIsReturned() {
		UUID id = scheduled();
		assertThat(used()).containsExactly("1", "1");
		Email cancelled = await(this.schedule.cancel(this.scope, id));
		assertThat(cancelled.status() + " " + cancelled.lastEvent()).isEqualTo("failed cancelled");
		assertThat(used()).containsExactly("0", "0");
		awaitRefusal("Email already processed", this.schedule.cancel(this.scope, id));
		assertThat(used()).containsExactly("0", "0");
	}

	@Test
	void ofConcurrentCancellationsOneSucceeds() {
		UUID id = scheduled();
		long succeeded = Flux.fromStream(IntStream.range(0, 16).boxed())
			.flatMap((i) -> this.schedule.cancel(this.scope, id).map((_) -> 1L).onErrorReturn(0L), 16)
			.reduce(Long::sum)
			.blockOptional(Duration.ofSeconds(30))
			.orElseThrow();
		assertThat(succeeded).isEqualTo(1);
		assertThat(used()).containsExactly("0", "0");
	}

	@Test
	void aMailThatIsBeingSentAndOneThatWasNotScheduledCannotBeChanged() {
		UUID id = scheduled();
		Given.inData(id);
		awaitRefusal("Email already processed", this.schedule.cancel(this.scope, id));
		String later = Instant.now().plus(1, ChronoUnit.DAYS).toString();
		awaitRefusal("Email already processed", this.schedule.move(this.scope, id, later));
		awaitRefusal("Validation error", this.schedule.move(this.scope, id, null));
		UUID now = accepted(CheckedMails.from(this.scope, "b@c.test"));
		awaitRefusal("Email already processed", this.schedule.cancel(this.scope, now));
	}

	@Test
	void aMailOfAnotherAccountOrDomainIsNotFound() {
		UUID id = scheduled();
		Scope foreign = Given.sender("free");
		Scope sibling = Scope.of(this.scope.account(), Given.domain(this.scope.account()), UUID.randomUUID());
		for (Scope other : List.of(foreign, sibling)) {
			awaitRefusal("Email not found", this.schedule.cancel(other, id));
			awaitRefusal("Email not found", this.emails.find(other, id));
			assertThat(list(other, new Email.Filter(null, null)).total()).isZero();
		}
		assertThat(await(this.emails.find(Scope.of(this.scope.account()), id)).recipients()).hasSize(1);
	}

	@Test
	void theListIsNewestFirstFilteredAndPaged() {
		UUID first = accepted(CheckedMails.from(this.scope, "1@c.test"));
		UUID second = accepted(CheckedMails.from(this.scope, "2@c.test"));
		Given.run("update email set status = 'delivered' where id = '%s'", first);
		Page<Email> all = list(this.scope, new Email.Filter(null, null));
		assertThat(all.items()).extracting(Email::id).containsExactly(second, first);
		assertThat(all.total()).isEqualTo(2);
		assertThat(list(this.scope, new Email.Filter(null, "delivered")).items()).extracting(Email::id)
			.containsExactly(first);
		assertThat(list(this.scope, new Email.Filter(UUID.randomUUID(), null)).items()).isEmpty();
		Page<Email> past = await(this.emails.list(this.scope, new Email.Filter(null, null), new Page.Request(3, 1)));
		assertThat(past.items()).isEmpty();
		assertThat(past.totalPages()).isEqualTo(2);
	}

	private Page<Email> list(Scope scope, Email.Filter filter) {
		return await(this.emails.list(scope, filter, new Page.Request(1, 50)));
	}

	private UUID scheduled() {
		return accepted(CheckedMails.scheduled(this.scope, Instant.now().plus(1, ChronoUnit.HOURS)));
	}

	private UUID accepted(CheckedMail checked) {
		return await(this.acceptor.accept(SendRequest.of(this.scope, checked))).single().id();
	}

	private List<String> used() {
		return Given.rows("select used from quota_use where account_id = '%s'", this.scope.account());
	}

}
