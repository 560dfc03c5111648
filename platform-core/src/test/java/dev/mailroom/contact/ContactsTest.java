package dev.mailroom.contact;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;

import dev.mailroom.EmailAddress;
import dev.mailroom.Given;
import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.awaitRefusal;
import static dev.mailroom.Await.isEmpty;
import static dev.mailroom.contact.TestBook.form;
import static dev.mailroom.contact.TestBook.forms;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class ContactsTest {

	@Autowired
	ContactBooks books;

	@Autowired
	ContactIntake intake;

	@Autowired
	Contacts contacts;

	@Autowired
	Subscriptions subscriptions;

	@Autowired
	ContactExport export;

	private final TestBook testBook = new TestBook();

	private final Scope scope = this.testBook.scope;

	private final UUID book = this.testBook.id;

	@Test
	void aSearchMatchesAddressesAndNamesLiterallyAndRegardlessOfCase() {
		await(this.intake.bulk(this.scope, this.book,
				List.of(form("percent%@b.com", "Ann"), form("under_score@b.com", "Béa"), form("plain@b.com", "Zoë"))));
		await(this.intake.create(this.scope, this.book,
				new ContactForm("full@b.com", "Grace", "Hopper", null, Map.of("team", "navy"), false, TestBook.API)));
		assertThat(search("%")).extracting(Contact::firstName).containsExactly("Ann");
		assertThat(search("_")).extracting(Contact::firstName).containsExactly("Béa");
		assertThat(search("ZOË")).extracting(Contact::firstName).containsExactly("Zoë");
		assertThat(search("grace hop")).extracting(Contact::properties).containsExactly(Map.of("team", "navy"));
		assertThat(search("nobody")).isEmpty();
	}

	@Test
	void contactsOfAllBooksAreFoundByTheBeginningOfTheirAddress() {
		ContactBook other = await(this.books.create(this.scope, "Other", null, false));
		await(this.intake.bulk(this.scope, this.book, List.of(form("ann@b.com", "Ann"), form("anna@b.com", "Anna"))));
		await(this.intake.bulk(this.scope, other.id(),
				List.of(form("Ann@B.com", "Ann"), form("zoë@bücher.de", "Zoë"))));
		assertThat(byAddress(" ANN")).containsExactly("ann@b.com", "Ann@B.com", "anna@b.com");
		assertThat(byAddress("ann@")).containsExactly("ann@b.com", "Ann@B.com");
		assertThat(byAddress("zoë@bücher.de")).hasSize(1);
		assertThat(byAddress("nn@")).isEmpty();
		assertThat(byAddress("%")).isEmpty();
		assertThat(byAddress(" \0")).isEmpty();
		assertThat(byAddress("  ")).isEmpty();
		assertThat(await(this.contacts.byAddress(this.scope, "ann", 1))).hasSize(1);
		assertThat(await(this.contacts.byAddress(this.scope, "zoë", 9))).extracting(Contact.Found::contactBookName)
			.containsExactly("Other");
		assertThat(await(this.contacts.byAddress(Scope.of(Given.account("free")), "ann", 9))).isEmpty();
	}

	private List<String> byAddress(String text) {
		return await(this.contacts.byAddress(this.scope, text, 9)).stream()
			.map((found) -> found.contact().email())
			.toList();
	}

	@Test
	void aListReadByCursorIsCompleteWhileContactsAreAdded() {
		await(this.intake.bulk(this.scope, this.book, forms("old", 25)));
		Page<Contact> first = page(new Page.Request(1, 10));
		await(this.intake.bulk(this.scope, this.book, forms("new", 5)));
		Page<Contact> second = page(new Page.Request(1, 10, first.next()));
		Page<Contact> third = page(new Page.Request(1, 10, second.next()));
		assertThat(third.next()).isNull();
		assertThat(third.total()).isEqualTo(30);
		assertThat(List.of(first, second, third)).flatExtracting(Page::items).hasSize(25).doesNotHaveDuplicates();
	}

	@Test
	void aListCanBeLimitedToSubscribedOrUnsubscribedContacts() {
		await(this.intake.bulk(this.scope, this.book, forms("in", 3)));
		UUID out = await(this.intake.create(this.scope, this.book, form("out@b.com", "Ann", false, false))).id();
		Page<Contact> unsubscribed = list(new Contact.Filter(null, false));
		assertThat(unsubscribed.items()).extracting(Contact::id).containsExactly(out);
		assertThat(unsubscribed.total()).isEqualTo(1);
		Page<Contact> subscribed = list(new Contact.Filter(null, true));
		assertThat(subscribed.items()).hasSize(3);
		assertThat(subscribed.total()).isEqualTo(3);
		assertThat(list(new Contact.Filter("out", true)).items()).isEmpty();
	}

	@Test
	void anExportIsCompleteAndHasSmallChunks() {
		Given.run("update account set plan = 'pro' where id = '%s'", this.scope.account());
		for (int from = 0; from < 300; from += 100) {
			await(this.intake.bulk(this.scope, this.book,
					IntStream.range(from, from + 100)
						.mapToObj((n) -> new ContactForm(n + "@b.com", "Ann", null, null, Map.of("k", "x".repeat(9000)),
								false, TestBook.API))
						.toList()));
		}
		List<byte[]> chunks = await(this.export.write(this.scope, this.book, Contact.Filter.of(null, null))
			.flatMapMany(Function.identity())
			.collectList());
		assertThat(chunks).allSatisfy((chunk) -> assertThat(chunk).hasSizeLessThanOrEqualTo(4096));
		ByteArrayOutputStream file = new ByteArrayOutputStream();
		chunks.forEach(file::writeBytes);
		assertThat(file.toString(StandardCharsets.UTF_8).lines()).hasSize(301)
			.allMatch((line) -> line.startsWith("email,") || line.endsWith("x\"\"}\""));
	}

	@Test
	void severalContactsAreDeletedByTheirIdsOrAFilter() {
		await(this.intake.bulk(this.scope, this.book, forms("many", 5)));
		await(this.intake.create(this.scope, this.book, form("out@b.com", null, false, false)));
		List<UUID> ids = search("many").stream().limit(2).map(Contact::id).toList();
		assertThat(await(this.contacts.deleteAll(this.scope, this.book, ids))).isEqualTo(2);
		assertThat(await(this.contacts.deleteAll(this.scope, this.book, ids))).isZero();
		assertThat(await(this.contacts.deleteMatching(this.scope, this.book, new Contact.Filter("many", true), 2)))
			.isEqualTo(2);
		assertThat(search("")).hasSize(2);
		this.testBook.assertCountsMatchContacts();
		assertThat(this.testBook.events()).filteredOn("contact.deleted"::equals).hasSize(4);
		awaitRefusal("Invalid request data", this.contacts.deleteAll(this.scope, this.book, List.of()));
		awaitRefusal("Invalid request data",
				this.contacts.deleteMatching(this.scope, this.book, Contact.Filter.ALL, 1001));
		Scope other = Scope.of(Given.account("free"));
		awaitRefusal("Contact book not found", this.contacts.deleteAll(other, this.book, ids));
		awaitRefusal("Contact book not found", this.contacts.deleteMatching(other, this.book, Contact.Filter.ALL, 10));
	}

	@Test
	void figuresCountSubscribedAndRecentContacts() {
		await(this.intake.bulk(this.scope, this.book, forms("in", 3)));
		await(this.intake.create(this.scope, this.book, form("out@b.com", null, false, false)));
		Given.run("update contact set created_at = now() - interval '40 days' where account_id = '%s' and email = '%s'",
				this.scope.account(), "in0@b.com");
		assertThat(await(this.books.figures(this.scope, List.of(this.book))))
			.containsOnly(Map.entry(this.book, new ContactBook.Figures(this.book, 3, 3)));
		assertThat(await(this.books.figures(Scope.of(Given.account("free")), List.of(this.book)))).isEmpty();
	}

	@Test
	void aChangeOfOneContactCanResubscribeIt() {
		UUID id = await(this.intake.create(this.scope, this.book, form("a@b.com", "Ann"))).id();
		assertThat(change(id, subscribed(false)).subscribed()).isFalse();
		assertThat(this.testBook.events()).contains("contact.unsubscribed");
		Contact changed = change(id, subscribed(true));
		assertThat(changed.subscribed()).isTrue();
		assertThat(changed.firstName()).isEqualTo("Ann");
	}

	@Test
	void onlyASubscribedContactIsFoundByItsAddress() {
		UUID id = await(this.intake.create(this.scope, this.book, form("a@b.com", "Ann"))).id();
		EmailAddress address = EmailAddress.parse("A@b.com").orElseThrow();
		assertThat(await(this.contacts.subscribed(this.scope, this.book, address))).isEqualTo(id);
		change(id, subscribed(false));
		assertThat(isEmpty(this.contacts.subscribed(this.scope, this.book, address))).isTrue();
	}

	@Test
	void theMembershipNamesTheContactsBook() {
		UUID id = await(this.intake.create(this.scope, this.book, form("a@b.com", "Ann"))).id();
		assertThat(await(this.subscriptions.membership(this.scope, id)))
			.isEqualTo(new Subscriptions.BookMembership(id, this.book, "Friends", true, false, "Ann", ""));
		assertThat(isEmpty(this.subscriptions.membership(this.scope, UUID.randomUUID()))).isTrue();
	}

	@Test
	void deletingContactsAndTheirBookIsRecorded() {
		UUID id = await(this.intake.create(this.scope, this.book, form("a@b.com", "Ann"))).id();
		assertThat(isEmpty(this.contacts.delete(this.scope, this.book, id))).isTrue();
		awaitRefusal("Contact not found", this.contacts.delete(this.scope, this.book, id));
		awaitRefusal("Contact not found", this.contacts.find(this.scope, this.book, id));
		this.testBook.assertCountsMatchContacts();
		await(this.intake.bulk(this.scope, this.book, forms("many", 150)));
		assertThat(isEmpty(this.books.delete(this.scope, this.book))).isTrue();
		assertThat(this.testBook.events()).filteredOn("contact.deleted"::equals).hasSize(151);
		awaitRefusal("Contact book not found", this.books.delete(this.scope, this.book));
		awaitRefusal("Contact book not found",
				this.contacts.list(this.scope, this.book, Contact.Filter.ALL, new Page.Request(1, 10)));
	}

	@Test
	void anotherAccountsContactsAreNotFound() {
		UUID id = await(this.intake.create(this.scope, this.book, form("a@b.com", "Ann"))).id();
		Scope other = Scope.of(Given.account("free"));
		UUID otherBook = await(this.books.create(other, "Mine", null, false)).id();
		awaitRefusal("Contact not found", this.contacts.find(other, this.book, id));
		awaitRefusal("Contact not found", this.contacts.find(other, otherBook, id));
		awaitRefusal("Contact not found", this.contacts.delete(other, otherBook, id));
		awaitRefusal("Contact not found", this.contacts.change(other, this.book, id,
				new Contact.Change("Eve", null, null, null, Consent.Source.API)));
		awaitRefusal("Contact book not found", this.intake.bulk(other, this.book, forms("in", 1)));
		assertThat(await(this.intake.put(other, otherBook, id, form("other@b.com", null))).added()).isTrue();
		assertThat(await(this.contacts.find(this.scope, this.book, id)).firstName()).isEqualTo("Ann");
	}

	private static Contact.Change subscribed(boolean subscribed) {
		return new Contact.Change(null, null, subscribed, null, Consent.Source.API);
	}

	private Contact change(UUID id, Contact.Change change) {
		return await(this.contacts.change(this.scope, this.book, id, change));
	}

	private Page<Contact> page(Page.Request request) {
		return await(this.contacts.list(this.scope, this.book, Contact.Filter.ALL, request));
	}

	private Page<Contact> list(Contact.Filter filter) {
		return await(this.contacts.list(this.scope, this.book, filter, new Page.Request(1, 10)));
	}

	private List<Contact> search(String search) {
		Page<Contact> page = await(
				this.contacts.list(this.scope, this.book, new Contact.Filter(search, null), new Page.Request(1, 100)));
		assertThat(page.total()).isEqualTo(page.items().size());
		return page.items();
	}

}
