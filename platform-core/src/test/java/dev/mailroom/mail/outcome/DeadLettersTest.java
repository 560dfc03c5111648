package dev.mailroom.mail.outcome;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import dev.mailroom.mail.queue.HandOver;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.LeaseStep;
import dev.mailroom.mail.queue.Queue;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class DeadLettersTest {

	@Autowired
	Queue queue;

	@Autowired
	Outcomes outcomes;

	@Autowired
	DeadLetters deadLetters;

	private final Scope scope = Given.sender("unlimited");

	@Test
	void anUnreadableMailBecomesADeadLetterWithoutAffectingOthers() {
		UUID poison = Given.mail(this.scope, "b@c.test", "d@c.test");
		UUID sound = Given.mail(this.scope, "e@c.test");
		Given.run("update email_content set headers = '{\"X-A\": {\"b\": 1}}' where email_id = '%s'", poison);
		assertThat(fenced(poison, sound)).extracting(HandOver::emailId).containsExactly(sound);
		assertThat(status(poison)).isEqualTo("failed failed");
		assertThat(Given.rows("select data -> 'failed' ->> 'reason' from event where email_id = '%s'", poison))
			.containsOnly("The mail's content cannot be read")
			.hasSize(2);
		assertThat(deadLetters()).hasSize(2)
			.allMatch((letter) -> poison.equals(letter.emailId()) && letter.id().equals(letter.deliveryId())
					&& letter.what().equals("mail") && letter.requeuedAt() == null);
	}

	@Test
	void aDeadLetterIsRequeuedOnce() {
		UUID mail = Given.mail(this.scope, "b@c.test");
		fail(mail);
		UUID letter = deadLetters().getFirst().id();
		assertThat(await(this.deadLetters.requeue(letter))).isTrue();
		assertThat(await(this.deadLetters.requeue(letter))).isFalse();
		assertThat(status(mail)).isEqualTo("pending queued");
		fail(mail);
		assertThat(await(this.deadLetters.requeue(letter))).isFalse();
		assertThat(deadLetters()).hasSize(1);
		assertThat(status(mail)).isEqualTo("failed failed");
		assertThat(await(this.deadLetters.requeue(UUID.randomUUID()))).isFalse();
	}

	@Test
	void aRequeuedMailIsSuppressedRegardlessOfCaseInEveryLocale() {
		UUID mail = Given.mail(this.scope, "ΟΔΟΣ@c.test");
		fail(mail);
		assertThat(await(this.deadLetters.requeue(deadLetters().getFirst().id()))).isTrue();
		Given.run("insert into suppression values (gen_random_uuid(), '%s', 'οδος@c.test', 'manual', now())",
				this.scope.account());
		assertThat(fenced(mail)).isEmpty();
		assertThat(Given.rows("select status from delivery where email_id = '%s'", mail)).containsExactly("suppressed");
	}

	@Test
	void refusedAndDeliveredMailsAreNotRequeued() {
		UUID refused = Given.mail(this.scope, "b@c.test");
		settle(fenced(refused), new Outcome.Failed("550 5.1.8 bad sender"));
		assertThat(deadLetters()).isEmpty();
		UUID mail = Given.mail(this.scope, "b@c.test");
		fail(mail);
		Given.run("update delivery set status = 'delivered' where email_id = '%s'", mail);
		assertThat(await(this.deadLetters.requeue(deadLetters().getFirst().id()))).isFalse();
	}

	@Test
	void aMailWhoseContentIsBeingRemovedIsNotRequeued() {
		UUID mail = Given.mail(this.scope, "b@c.test");
		fail(mail);
		CompletableFuture<Boolean> requeued;
		Given.run("begin; delete from email_content where email_id = '%s'", mail);
		try {
			requeued = this.deadLetters.requeue(deadLetters().getFirst().id()).toFuture();
			Given.untilBlocking("the content is awaited");
		}
		finally {
			Given.run("commit");
		}
		assertThat(await(Mono.fromFuture(requeued))).isFalse();
		assertThat(status(mail)).isEqualTo("failed failed");
	}

	@Test
	void anUnreadableRecordIsRecordedOnce() {
		String position = "topic/0/" + UUID.randomUUID();
		this.deadLetters.recordUnreadable(position, "It is no lease");
		this.deadLetters.recordUnreadable(position, "It is no lease");
		assertThat(await(this.deadLetters.newest())).filteredOn((letter) -> letter.why().startsWith(position))
			.singleElement()
			.matches((letter) -> letter.what().equals("record") && letter.accountId() == null);
	}

	private void fail(UUID mail) {
		settle(fenced(mail), new Outcome.Failed("It cannot be composed", true));
	}

	private void settle(List<HandOver> handOvers, Outcome outcome) {
		assertThat(handOvers).isNotEmpty();
		this.outcomes.settle(handOvers.stream().map((handOver) -> new Settlement(handOver.lease(), outcome)).toList());
	}

	private List<HandOver> fenced(UUID... mails) {
		List<String> own = Given.rows("select id from delivery where email_id = any('{%s}'::uuid[])",
				String.join(",", List.of(mails).stream().map(UUID::toString).toList()));
		List<Lease> leases = LeaseStep.lease(this.queue)
			.stream()
			.filter((lease) -> own.contains(lease.delivery().toString()))
			.toList();
		return pass(leases);
	}

	private List<DeadLetters.Entry> deadLetters() {
		return await(this.deadLetters.newest()).stream()
			.filter((letter) -> this.scope.account().equals(letter.accountId()))
			.toList();
	}

	private static String status(UUID mail) {
		return Given.rows("select status || ' ' || last_event from email where id = '%s'", mail).getFirst();
	}

	private List<HandOver> pass(List<Lease> leases) {
		return FenceStep.pass(this.queue, this.outcomes, leases);
	}

}
