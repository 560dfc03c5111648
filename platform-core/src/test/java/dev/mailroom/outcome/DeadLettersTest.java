package dev.mailroom.outcome;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import dev.mailroom.CoreTest;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.queue.HandOver;
import dev.mailroom.queue.Lease;
import dev.mailroom.queue.Queue;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

@CoreTest
class DeadLettersTest {

	@Autowired
	Queue queue;

	@Autowired
	Outcomes outcomes;

	@Autowired
	DeadLetters deadLetters;

	private final Scope scope = Given.sender("unlimited");

	@Test
	void aMailThatCannotBeReadDiesAndTheOthersGoOn() {
		UUID poison = Given.mail(this.scope, "b@c.test", "d@c.test");
		UUID sound = Given.mail(this.scope, "e@c.test");
		Given.run("update email_content set headers = '{\"X-A\": {\"b\": 1}}' where email_id = '%s'", poison);
		assertThat(fenced(poison, sound)).extracting(HandOver::emailId).containsExactly(sound);
		assertThat(status(poison)).isEqualTo("failed failed");
		assertThat(Given.rows("select data -> 'failed' ->> 'reason' from event where email_id = '%s'", poison))
			.containsOnly("The mail's content cannot be read")
			.hasSize(2);
		assertThat(ofThis()).hasSize(2)
			.allMatch((letter) -> poison.equals(letter.emailId()) && letter.id().equals(letter.deliveryId())
					&& letter.what().equals("mail") && letter.requeuedAt() == null);
	}

	@Test
	void aDeadMailIsPutBackOnceAndNeverAgain() {
		UUID mail = Given.mail(this.scope, "b@c.test");
		die(mail);
		UUID letter = ofThis().getFirst().id();
		assertThat(await(this.deadLetters.requeue(letter))).isTrue();
		assertThat(await(this.deadLetters.requeue(letter))).isFalse();
		assertThat(status(mail)).isEqualTo("pending queued");
		die(mail);
		assertThat(await(this.deadLetters.requeue(letter))).isFalse();
		assertThat(ofThis()).hasSize(1);
		assertThat(status(mail)).isEqualTo("failed failed");
		assertThat(await(this.deadLetters.requeue(UUID.randomUUID()))).isFalse();
	}

	@Test
	void whatServersRefuseAndWhatHasArrivedMeanwhileIsNotPutBack() {
		UUID refused = Given.mail(this.scope, "b@c.test");
		settle(fenced(refused), new Outcome.Failed("550 5.1.8 bad sender"));
		assertThat(ofThis()).isEmpty();
		UUID mail = Given.mail(this.scope, "b@c.test");
		die(mail);
		Given.run("update delivery set status = 'delivered' where email_id = '%s'", mail);
		assertThat(await(this.deadLetters.requeue(ofThis().getFirst().id()))).isFalse();
	}

	@Test
	void anUnreadableRecordIsKeptOnce() {
		String where = "topic/0/" + UUID.randomUUID();
		await(this.deadLetters.unreadable(where, "It is no lease").then(Mono.just(true)));
		await(this.deadLetters.unreadable(where, "It is no lease").then(Mono.just(true)));
		assertThat(await(this.deadLetters.newest())).filteredOn((letter) -> letter.why().startsWith(where))
			.singleElement()
			.matches((letter) -> letter.what().equals("record") && letter.accountId() == null);
	}

	private void die(UUID mail) {
		settle(fenced(mail), new Outcome.Failed("No words for it", true));
	}

	private void settle(List<HandOver> held, Outcome outcome) {
		assertThat(held).isNotEmpty();
		await(this.outcomes.settle(held.stream().map((one) -> new Settlement(one.lease(), outcome)).toList())
			.then(Mono.just(true)));
	}

	private List<HandOver> fenced(UUID... mails) {
		List<String> own = Given.rows("select id from delivery where email_id = any('{%s}'::uuid[])",
				String.join(",", List.of(mails).stream().map(UUID::toString).toList()));
		List<Lease> leases = await(this.queue.lease(10_000, 10_000, Queue.Turn.START)).leases()
			.stream()
			.filter((lease) -> own.contains(lease.delivery().toString()))
			.toList();
		return await(pass(leases));
	}

	private List<DeadLetter> ofThis() {
		return await(this.deadLetters.newest()).stream()
			.filter((letter) -> this.scope.account().equals(letter.accountId()))
			.toList();
	}

	private static String status(UUID mail) {
		return Given.rows("select status || ' ' || last_event from email where id = '%s'", mail).getFirst();
	}

	private Mono<List<HandOver>> pass(List<Lease> leases) {
		return FenceStep.pass(this.queue, this.outcomes, leases);
	}

}
