package dev.mailroom.contact;

import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.awaitRefusal;
import static dev.mailroom.Await.errorName;
import static dev.mailroom.contact.TestBook.form;
import static dev.mailroom.contact.TestBook.forms;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class ContactIntakeTest {

	@Autowired
	ContactBooks books;

	@Autowired
	ContactIntake intake;

	@Autowired
	Contacts contacts;

	private final TestBook testBook = new TestBook();

	private final Scope scope = this.testBook.scope;

	private final UUID book = this.testBook.id;

	@Test
	void aCheckHasTheResultThatSavingWouldHaveAndSavesNothing() {
		await(this.intake.bulk(this.scope, this.book,
				List.of(form("old@b.com", "Ann"), form("out@b.com", "Bo", false, false))));
		ImportCheck check = await(
				this.intake.check(this.scope, this.book, List.of(form("OLD@b.com", "Eve"), form("new@b.com", null),
						form("New@b.com", null), form("out@b.com", null), form("wrong", null), form(null, null))));
		assertThat(check).isEqualTo(
				new ImportCheck(1, 2, 1, List.of(new ImportCheck.RefusedLine(4, "email", "is not an e-mail address"),
						new ImportCheck.RefusedLine(5, "email", "is required"))));
		this.testBook.assertCountsMatchContacts();
		awaitRefusal("Invalid request data", this.intake.check(this.scope, this.book, List.of()));
		awaitRefusal("Contact book not found",
				this.intake.check(Scope.of(Given.account("free")), this.book, List.of(form("a@b.com", null))));
	}

	@Test
	void aNewContactIsSubscribedAndHasNoOtherData() {
		Contact ann = await(this.intake.create(this.scope, this.book, form("Ann@Example.COM", "Ann")));
		assertThat(ann.email()).isEqualTo("Ann@Example.COM");
		assertThat(ann.firstName()).isEqualTo("Ann");
		assertThat(ann.lastName()).isEmpty();
		assertThat(ann.subscribed()).isTrue();
		assertThat(ann.properties()).isEmpty();
		assertThat(this.testBook.events()).containsExactly("contact.created");
	}

	@Test
	void theAddressIdentifiesAContactRegardlessOfCase() {
		Contact ann = await(this.intake.create(this.scope, this.book, form("Ann@Example.COM", "Ann")));
		awaitRefusal("Duplicate contact", this.intake.create(this.scope, this.book, form("ann@example.com", null)));
		SaveCount saved = await(
				this.intake.bulk(this.scope, this.book, List.of(form("ANN@example.com", null), form("b@b.com", "B"))));
		assertThat(saved).isEqualTo(new SaveCount(1, 1));
		Contact updated = await(this.contacts.find(this.scope, this.book, ann.id()));
		assertThat(updated.firstName()).isEqualTo("Ann");
		assertThat(updated.email()).isEqualTo("ANN@example.com");
		assertThat(updated.createdAt()).isEqualTo(ann.createdAt());
		assertThat(this.testBook.events()).containsExactlyInAnyOrder("contact.created", "contact.updated",
				"contact.created");
		this.testBook.assertCountsMatchContacts();
	}

	@Test
	void theLastOfSeveralEntriesWithOneAddressCounts() {
		SaveCount saved = await(this.intake.bulk(this.scope, this.book,
				List.of(form("a@b.com", "One"), form("c@d.com", "C"), form("A@b.com", "Two"))));
		assertThat(saved).isEqualTo(new SaveCount(2, 0));
		ContactForm again = form("a@b.com", null);
		assertThat(await(this.intake.put(this.scope, this.book, UUID.randomUUID(), again)).contact().firstName())
			.isEqualTo("Two");
	}

	@Test
	void savingByAddressResubscribesOnlyWithResubscribe() {
		UUID id = await(this.intake.create(this.scope, this.book, form("a@b.com", "Ann"))).id();
		await(this.intake.bulk(this.scope, this.book, List.of(form("a@b.com", null, false, false))));
		assertThat(this.testBook.events()).contains("contact.unsubscribed");
		await(this.intake.bulk(this.scope, this.book, List.of(form("a@b.com", null))));
		await(this.intake.bulk(this.scope, this.book, List.of(form("a@b.com", null, true, false))));
		assertThat(isSubscribed(id)).isFalse();
		SaveResult renamed = put(id, form("a@b.com", "Anna", true, false));
		assertThat(renamed.contact().subscribed()).isFalse();
		assertThat(renamed.contact().firstName()).isEqualTo("Anna");
		assertThat(put(id, form("a@b.com", null, false, true)).contact().subscribed()).isFalse();
		assertThat(put(id, form("a@b.com", null, true, true)).contact().subscribed()).isTrue();
	}

	@Test
	void anUnsubscribedContactThatWasDeletedStaysUnsubscribedWithoutResubscribe() {
		UUID id = await(this.intake.create(this.scope, this.book, form("a@b.com", "Ann"))).id();
		await(this.intake.bulk(this.scope, this.book, List.of(form("a@b.com", null, false, false))));
		await(this.contacts.delete(this.scope, this.book, id));
		Contact again = await(this.intake.create(this.scope, this.book, form("A@b.com", "Ann", true, false)));
		assertThat(again.subscribed()).isFalse();
		assertThat(again.id()).isEqualTo(id);
		await(this.contacts.deleteAll(this.scope, this.book, List.of(id)));
		assertThat(await(this.intake.bulk(this.scope, this.book, List.of(form("a@b.com", null)))))
			.isEqualTo(new SaveCount(1, 0));
		assertThat(isSubscribed(id)).isFalse();
		await(this.contacts.deleteMatching(this.scope, this.book, new Contact.Filter(null, null), 10));
		assertThat(put(id, form("a@b.com", null, true, true)).contact().subscribed()).isTrue();
		await(this.contacts.delete(this.scope, this.book, id));
		assertThat(put(id, form("a@b.com", null)).contact().subscribed()).isTrue();
		this.testBook.assertCountsMatchContacts();
	}

	@Test
	void aPutIdentifiesTheContactByAddressAndNotById() {
		UUID unknown = UUID.randomUUID();
		SaveResult created = put(unknown, form("a@b.com", "Ann"));
		assertThat(created.added()).isTrue();
		assertThat(created.contact().id()).isNotEqualTo(unknown);
		SaveResult updated = put(unknown, form("A@b.com", "Anna"));
		assertThat(updated.added()).isFalse();
		assertThat(updated.contact().id()).isEqualTo(created.contact().id());
		awaitRefusal("Duplicate contact",
				this.intake.put(this.scope, this.book, created.contact().id(), form("other@b.com", null)));
		awaitRefusal("Contact book not found",
				this.intake.put(this.scope, unknown, created.contact().id(), form("a@b.com", null)));
		this.testBook.assertCountsMatchContacts();
	}

	@Test
	void aCallThatWouldExceedThePlansLimitAddsNothing() {
		await(this.intake.bulk(this.scope, this.book, forms("first", 199)));
		UUID second = await(this.books.create(this.scope, "Others", null, false)).id();
		awaitRefusal("Contact limit reached", this.intake.bulk(this.scope, second, forms("second", 2)));
		assertThat(await(this.books.find(this.scope, second)).contacts()).isZero();
		await(this.intake.bulk(this.scope, second, forms("second", 1)));
		awaitRefusal("Contact limit reached", this.intake.create(this.scope, this.book, form("x@y.com", null)));
		awaitRefusal("Contact limit reached",
				this.intake.put(this.scope, this.book, UUID.randomUUID(), form("x@y.com", null)));
		assertThat(await(this.intake.bulk(this.scope, this.book, forms("first", 199))))
			.isEqualTo(new SaveCount(0, 199));
		this.testBook.assertCountsMatchContacts();
	}

	@Test
	void concurrentCallsDoNotExceedThePlansLimit() {
		List<String> results = await(Flux.range(0, 32).flatMap((i) -> errorName(save(i)), 32).collectList());
		assertThat(results).contains("ok").containsOnly("ok", "Contact limit reached");
		this.testBook.assertCountsMatchContacts();
		assertThat(await(this.books.find(this.scope, this.book)).contacts()).isLessThanOrEqualTo(200)
			.isGreaterThan(175);
	}

	@Test
	void theDigitsOfNumbersCountAsCharactersOfTheProperties() {
		for (Object value : List.of(BigInteger.TEN.pow(999), 1e300)) {
			Map<String, Object> properties = new HashMap<>();
			for (int i = 0; i < 40; i++) {
				properties.put("n" + i, value);
			}
			ContactForm large = new ContactForm("large@b.com", null, null, null, properties, false, TestBook.API);
			assertThat(awaitRefusal("Invalid request data", this.intake.create(this.scope, this.book, large)).details())
				.extracting(Refusal.Detail::field)
				.containsExactly("properties");
		}
	}

	@Test
	void invalidContactsAreRefusedWithTheirFields() {
		ContactForm withNul = new ContactForm("a@b.com", null, null, null, Map.of("key", List.of("nul\0")), false,
				TestBook.API);
		assertThat(awaitRefusal("Invalid request data",
				this.intake.bulk(this.scope, this.book,
						List.of(form("fine@b.com", null), form("no address", "a\nb"), withNul)))
			.details()).extracting(Refusal.Detail::field)
			.containsExactly("[1].email", "[1].first_name", "[2].properties");
		awaitRefusal("Invalid request data", this.intake.create(this.scope, this.book, form(null, "Ann")));
	}

	@Test
	void aBulkCallTakesOneToAThousandContacts() {
		awaitRefusal("Invalid request data", this.intake.bulk(this.scope, this.book, List.of()));
		awaitRefusal("Invalid request data", this.intake.bulk(this.scope, this.book, forms("many", 1001)));
		awaitRefusal("Contact limit reached", this.intake.bulk(this.scope, this.book, forms("many", 1000)));
	}

	private SaveResult put(UUID id, ContactForm form) {
		return await(this.intake.put(this.scope, this.book, id, form));
	}

	private boolean isSubscribed(UUID id) {
		return await(this.contacts.find(this.scope, this.book, id)).subscribed();
	}

	/** One of the calls that add contacts. */
	private Mono<?> save(int i) {
		return switch (i % 4) {
			case 0 -> this.intake.bulk(this.scope, this.book, forms("bulk" + i, 25));
			case 1 -> this.intake.create(this.scope, this.book, form("one" + i + "@b.com", null));
			case 2 -> this.intake.put(this.scope, this.book, UUID.randomUUID(), form("put" + i + "@b.com", null));
			default -> this.intake.bulk(this.scope, this.book, forms("more" + i, 7));
		};
	}

}
