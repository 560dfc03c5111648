package dev.mailroom.contact;

import java.net.InetAddress;
import java.util.List;
import java.util.UUID;

import dev.mailroom.ClientNetwork;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.awaitRefusal;
import static dev.mailroom.Await.isEmpty;
import static dev.mailroom.contact.Consent.Source.API;
import static dev.mailroom.contact.Consent.Source.FORM;
import static dev.mailroom.contact.Consent.Source.IMPORT;
import static dev.mailroom.contact.Consent.State.CONFIRMED;
import static dev.mailroom.contact.Consent.State.PENDING;
import static dev.mailroom.contact.Consent.State.STATED;
import static dev.mailroom.contact.TestBook.form;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class DoubleOptInTest {

	@Autowired
	ContactBooks books;

	@Autowired
	ContactIntake intake;

	@Autowired
	Contacts contacts;

	@Autowired
	Subscriptions subscriptions;

	private final TestBook testBook = new TestBook();

	private final Scope scope = this.testBook.scope;

	private final UUID book = this.testBook.id;

	@BeforeEach
	void requireConfirmation() {
		assertThat(await(this.books.change(this.scope, this.book, null, null, true)).doubleOptIn()).isTrue();
	}

	@Test
	void anAddedContactIsPendingUntilThePersonConfirms() {
		Contact ann = await(this.intake.create(this.scope, this.book, form("a@b.com", "Ann"))
			.contextWrite(ClientNetwork.context(InetAddress.ofLiteral("192.0.2.7"), true)));
		assertThat(ann.subscribed()).isFalse();
		assertThat(ann.consent()).extracting(Consent::state, Consent::source, Consent::address, Consent::confirmedAt)
			.containsExactly(PENDING, API, "192.0.2.7", null);
		assertThat(ann.consent().at()).isNotNull();
		assertThat(mailsRequested()).isOne();
		List<Contact> confirmed = await(Flux.range(0, 8)
			.flatMap((_) -> this.subscriptions.confirm(this.scope, ann.id())
				.contextWrite(ClientNetwork.context(InetAddress.ofLiteral("2001:db8::5"), true)), 8)
			.collectList());
		assertThat(confirmed).hasSize(1);
		Contact now = find(ann);
		assertThat(now.subscribed()).isTrue();
		assertThat(now.consent())
			.extracting(Consent::state, Consent::source, Consent::address, Consent::confirmedAddress)
			.containsExactly(CONFIRMED, API, "192.0.2.7", "2001:db8:0:0:0:0:0:5");
		assertThat(now.consent().at()).isEqualTo(ann.consent().at());
		assertThat(this.testBook.events()).containsExactly("contact.created", "contact.updated");
		assertThat(mailsRequested()).isZero();
	}

	@Test
	void noCallOfTheAccountSubscribesWithoutAConfirmation() {
		Contact ann = add("a@b.com");
		assertThat(put(form("a@b.com", "Ann", true, true)).consent().state()).isEqualTo(PENDING);
		assertThat(change(ann, true).subscribed()).isFalse();
		await(this.intake.bulk(this.scope, this.book, List.of(form("a@b.com", null, true, true))));
		assertThat(find(ann).subscribed()).isFalse();
		assertThat(mailsRequested()).isOne();
		Contact withdrawn = change(ann, false);
		assertThat(withdrawn.consent().state()).isNull();
		assertThat(isEmpty(this.subscriptions.confirm(this.scope, ann.id()))).isTrue();
		assertThat(change(ann, true).consent().state()).isEqualTo(PENDING);
	}

	@Test
	void aStatedConsentAndAPersonsOwnDecisionNeedNoMail() {
		ContactForm stated = new ContactForm("a@b.com", null, null, null, null, false,
				new Consent.Origin(IMPORT, true));
		await(this.intake.bulk(this.scope, this.book, List.of(stated, form("out@b.com", null, false, false))));
		Contact ann = put(form("a@b.com", "Ann"));
		assertThat(ann.subscribed()).isTrue();
		assertThat(ann.consent()).extracting(Consent::state, Consent::source).containsExactly(STATED, IMPORT);
		await(this.subscriptions.decide(this.scope, ann.id(), false));
		assertThat(find(ann).consent().state()).isEqualTo(STATED);
		assertThat(isEmpty(this.subscriptions.confirm(this.scope, ann.id()))).isTrue();
		await(this.subscriptions.decide(this.scope, ann.id(), true));
		assertThat(find(ann).consent()).extracting(Consent::state, Consent::source).containsExactly(CONFIRMED, FORM);
		assertThat(mailsRequested()).isZero();
	}

	@Test
	void contactsThatAreSubscribedRemainSoWhenTheSettingChanges() {
		await(this.books.change(this.scope, this.book, null, null, false));
		Contact before = add("before@b.com");
		assertThat(before.subscribed()).isTrue();
		assertThat(before.consent()).extracting(Consent::state, Consent::source).containsExactly(null, API);
		await(this.books.change(this.scope, this.book, "Readers", null, true));
		assertThat(put(form("before@b.com", "Ann")).subscribed()).isTrue();
		Contact pending = add("after@b.com");
		await(this.books.change(this.scope, this.book, null, null, false));
		assertThat(put(form("after@b.com", "Eve")).consent().state()).isEqualTo(PENDING);
		await(this.subscriptions.confirm(this.scope, pending.id()));
		assertThat(find(pending).subscribed()).isTrue();
	}

	@Test
	void aMailIsRepeatedOnceADayAndThreeTimesInAll() {
		Contact ann = add("a@b.com");
		awaitRefusal("Rate limit exceeded", repeat(ann));
		for (int mails = 1; mails < 3; mails++) {
			sent(mails, "23 hours");
			awaitRefusal("Rate limit exceeded", repeat(ann));
			change(ann, false);
			change(ann, true);
			assertThat(mailsRequested()).isZero();
			sent(mails, "25 hours");
			await(repeat(ann));
			assertThat(mailsRequested()).isOne();
		}
		sent(3, "25 hours");
		awaitRefusal("Rate limit exceeded", repeat(ann));
		awaitRefusal("Contact not found",
				this.subscriptions.repeatMail(Scope.of(Given.account("free")), this.book, ann.id()));
		await(this.subscriptions.confirm(this.scope, ann.id()));
		awaitRefusal("Invalid request data", repeat(ann));
	}

	@Test
	void aDeletedContactIsNotAskedAnyMore() {
		Contact ann = add("a@b.com");
		await(this.contacts.delete(this.scope, this.book, ann.id()));
		assertThat(mailsRequested()).isZero();
		assertThat(isEmpty(this.subscriptions.confirm(this.scope, ann.id()))).isTrue();
	}

	private Mono<Contact> repeat(Contact contact) {
		return this.subscriptions.repeatMail(this.scope, this.book, contact.id());
	}

	private Contact add(String email) {
		return await(this.intake.create(this.scope, this.book, form(email, null)));
	}

	private Contact put(ContactForm form) {
		return await(this.intake.put(this.scope, this.book, UUID.randomUUID(), form)).contact();
	}

	private Contact change(Contact contact, boolean subscribed) {
		return await(this.contacts.change(this.scope, this.book, contact.id(),
				new Contact.Change(null, null, subscribed, null, API)));
	}

	private Contact find(Contact contact) {
		return await(this.contacts.find(this.scope, this.book, contact.id()));
	}

	private long mailsRequested() {
		return Long.parseLong(
				Given
					.rows("select count(*) from confirmation where account_id = '%s' and due_at is not null",
							this.scope.account())
					.getFirst());
	}

	/** A mail was sent some time ago. */
	private void sent(int mails, String age) {
		Given.run("update confirmation set due_at = null, mails = %d, sent_at = now() - interval '%s' "
				+ "where account_id = '%s'", mails, age, this.scope.account());
	}

}
