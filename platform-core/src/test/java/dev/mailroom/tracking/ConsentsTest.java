package dev.mailroom.tracking;

import java.util.List;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import dev.mailroom.contact.Subscriptions.BookMembership;
import dev.mailroom.mail.outcome.FenceStep;
import dev.mailroom.mail.outcome.Outcomes;
import dev.mailroom.mail.queue.HandOver;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.Queue;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class ConsentsTest {

	@Autowired
	Consents consents;

	@Autowired
	Queue queue;

	@Autowired
	Outcomes outcomes;

	private final Scope scope = Given.sender("unlimited");

	private final UUID book = UUID.randomUUID();

	@Test
	void repeatedRequestsUnsubscribeOnceAndAContactMayResubscribe() {
		TrackingToken.Unsubscribe token = new TrackingToken.Unsubscribe(this.scope.account(), contact("a@c.test"));
		await(Flux.range(0, 8).flatMap((i) -> this.consents.set(token, false), 8).collectList());
		assertThat(await(this.consents.of(token)))
			.isEqualTo(new BookMembership(token.contact(), this.book, "Friends", false, false, "", ""));
		assertThat(events()).containsExactlyInAnyOrder("contact.updated", "contact.unsubscribed");
		assertThat(await(this.consents.set(token, true)).subscribed()).isTrue();
		assertThat(events()).hasSize(3);
	}

	@Test
	void requestsForOtherOrMissingContactsChangeNothing() {
		UUID contact = contact("a@c.test");
		TrackingToken.Unsubscribe foreign = new TrackingToken.Unsubscribe(Given.account("free"), contact);
		assertThat(this.consents.set(foreign, false).blockOptional()).isEmpty();
		assertThat(this.consents.set(new TrackingToken.Unsubscribe(this.scope.account(), UUID.randomUUID()), false)
			.blockOptional()).isEmpty();
		assertThat(events()).isEmpty();
	}

	@Test
	void aContactUnsubscribedAfterTheLeaseIsNotHandedOver() {
		UUID stays = contact("stays@c.test");
		UUID leaves = contact("leaves@c.test");
		UUID deleted = contact("deleted@c.test");
		UUID mail = Given.mail(this.scope, "stays@c.test", "leaves@c.test", "deleted@c.test", "nobodys@c.test");
		for (UUID contact : List.of(stays, leaves, deleted)) {
			Given.run("update queue set contact_id = '%1$s' where email_id = '%2$s' "
					+ "and recipient = (select email from contact where id = '%1$s')", contact, mail);
		}
		Given.leased(mail, 1);
		List<Lease> leases = Given.rows("select id from delivery where email_id = '%s'", mail)
			.stream()
			.map((id) -> new Lease(UUID.fromString(id), 1))
			.toList();
		await(this.consents.set(new TrackingToken.Unsubscribe(this.scope.account(), leaves), false));
		Given.run("delete from contact where id = '%s'", deleted);
		List<HandOver> passed = pass(leases);
		assertThat(passed).extracting(HandOver::recipient).containsExactlyInAnyOrder("stays@c.test", "nobodys@c.test");
		assertThat(passed).extracting(HandOver::isPersonal).containsExactlyInAnyOrder(true, false);
		assertThat(Given.rows("select status from delivery where email_id = '%s' order by position", mail))
			.containsExactly("pending", "suppressed", "suppressed", "pending");
	}

	private UUID contact(String email) {
		UUID id = UUID.randomUUID();
		Given.run(
				"insert into contact_book (id, account_id, name, created_at, updated_at) "
						+ "values ('%s', '%s', 'Friends', now(), now()) on conflict do nothing",
				this.book, this.scope.account());
		Given.run(
				"insert into contact (id, account_id, contact_book_id, email, email_key, created_at, updated_at) "
						+ "values ('%1$s', '%2$s', '%3$s', '%4$s', '%4$s', now(), now())",
				id, this.scope.account(), this.book, email);
		return id;
	}

	private List<String> events() {
		return Given.rows("select kind from event where account_id = '%s' order by id", this.scope.account());
	}

	private List<HandOver> pass(List<Lease> leases) {
		return FenceStep.pass(this.queue, this.outcomes, leases);
	}

}
