package dev.mailroom.contact;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

import dev.mailroom.CoreTest;
import dev.mailroom.Given;
import dev.mailroom.Page;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

@CoreTest
class ContactTest {

	private static final Contact.Filter ALL = new Contact.Filter(null);

	@Autowired
	ContactBooks books;

	@Autowired
	ContactIntake intake;

	@Autowired
	Contacts contacts;

	private final Scope scope = Scope.of(Given.account("free"));

	private UUID book;

	@BeforeEach
	void openABook() {
		this.book = await(this.books.create(this.scope, "Friends")).id();
	}

	@Test
	void aContactIsKnownByItsAddressWhateverItsCase() {
		Contact ann = await(this.intake.create(this.scope, this.book, form("Ann@Example.COM", "Ann")));
		assertThat(ann.email()).isEqualTo("Ann@Example.COM");
		assertThat(ann.subscribed()).isTrue();
		assertThat(ann.lastName()).isEmpty();
		assertThat(ann.properties()).isEmpty();
		refused("Duplicate contact", this.intake.create(this.scope, this.book, form("ann@example.com", null)));
		SaveCount tally = await(
				this.intake.bulk(this.scope, this.book, List.of(form("ANN@example.com", null), form("b@b.com", "B"))));
		assertThat(tally).isEqualTo(new SaveCount(1, 1));
		Contact again = await(this.contacts.find(this.scope, this.book, ann.id()));
		assertThat(again.firstName()).isEqualTo("Ann");
		assertThat(again.email()).isEqualTo("ANN@example.com");
		assertThat(again.createdAt()).isEqualTo(ann.createdAt());
		assertThat(kinds()).containsExactlyInAnyOrder("contact.created", "contact.updated", "contact.created");
		countsAreTrue();
	}

	@Test
	void ofDuplicatesInOneCallTheLastStands() {
		SaveCount tally = await(this.intake.bulk(this.scope, this.book,
				List.of(form("a@b.com", "One"), form("c@d.com", "C"), form("A@b.com", "Two"))));
		assertThat(tally).isEqualTo(new SaveCount(2, 0));
		assertThat(listed(new Contact.Filter("A@B.COM"))).extracting(Contact::firstName).containsExactly("Two");
	}

	@Test
	void whoHasUnsubscribedStaysSoUntilAskedInSoManyWords() {
		UUID id = await(this.intake.create(this.scope, this.book, form("a@b.com", "Ann"))).id();
		await(this.contacts.change(this.scope, this.book, id, new Contact.Change(null, null, false, null)));
		assertThat(kinds()).contains("contact.unsubscribed");
		await(this.intake.bulk(this.scope, this.book, List.of(form("a@b.com", null))));
		await(this.intake.bulk(this.scope, this.book, List.of(form("a@b.com", null, true, false))));
		SaveResult put = await(this.intake.put(this.scope, this.book, id, form("a@b.com", "Anna", true, false)));
		assertThat(put.contact().subscribed()).isFalse();
		assertThat(put.contact().firstName()).isEqualTo("Anna");
		assertThat(await(this.intake.put(this.scope, this.book, id, form("a@b.com", null, false, true))).contact()
			.subscribed()).isFalse();
		assertThat(await(this.intake.put(this.scope, this.book, id, form("a@b.com", null, true, true))).contact()
			.subscribed()).isTrue();
		await(this.intake.bulk(this.scope, this.book, List.of(form("a@b.com", null, false, false))));
		assertThat(await(this.contacts.find(this.scope, this.book, id)).subscribed()).isFalse();
		await(this.contacts.change(this.scope, this.book, id, new Contact.Change(null, null, true, null)));
		assertThat(await(this.contacts.find(this.scope, this.book, id)).subscribed()).isTrue();
	}

	@Test
	void theAddressDecidesWhomAPutMeans() {
		UUID unknown = UUID.randomUUID();
		SaveResult made = await(this.intake.put(this.scope, this.book, unknown, form("a@b.com", "Ann")));
		assertThat(made.added()).isTrue();
		assertThat(made.contact().id()).isNotEqualTo(unknown);
		SaveResult again = await(this.intake.put(this.scope, this.book, unknown, form("A@b.com", "Anna")));
		assertThat(again.added()).isFalse();
		assertThat(again.contact().id()).isEqualTo(made.contact().id());
		refused("Duplicate contact",
				this.intake.put(this.scope, this.book, made.contact().id(), form("other@b.com", null)));
		refused("Contact book not found",
				this.intake.put(this.scope, unknown, made.contact().id(), form("a@b.com", null)));
		countsAreTrue();
	}

	@Test
	void aCallThatWouldPassThePlansLimitAddsNothing() {
		await(this.intake.bulk(this.scope, this.book, many("first", 199)));
		UUID second = await(this.books.create(this.scope, "Others")).id();
		refused("Contact limit reached", this.intake.bulk(this.scope, second, many("second", 2)));
		assertThat(await(this.books.find(this.scope, second)).contacts()).isZero();
		await(this.intake.bulk(this.scope, second, many("second", 1)));
		refused("Contact limit reached", this.intake.create(this.scope, this.book, form("x@y.com", null)));
		refused("Contact limit reached",
				this.intake.put(this.scope, this.book, UUID.randomUUID(), form("x@y.com", null)));
		assertThat(await(this.intake.bulk(this.scope, this.book, many("first", 199)))).isEqualTo(new SaveCount(0, 199));
		countsAreTrue();
	}

	@Test
	void ofThirtyTwoWritersAtOnceNoneIsOneTooMany() {
		List<String> outcomes = Flux.range(0, 32)
			.flatMap((i) -> way(i).map((_) -> "in")
				.onErrorResume(Refused.class, (refused) -> Mono.just(refused.refusal().error())), 32)
			.collectList()
			.block(Duration.ofSeconds(60));
		assertThat(outcomes).contains("in").containsOnly("in", "Contact limit reached");
		countsAreTrue();
		assertThat(await(this.books.find(this.scope, this.book)).contacts()).isLessThanOrEqualTo(200)
			.isGreaterThan(175);
	}

	@Test
	void aSearchIsTakenLiterallyAndKnowsAddressesAndNames() {
		await(this.intake.bulk(this.scope, this.book,
				List.of(form("percent%@b.com", "Ann"), form("under_score@b.com", "Béa"), form("plain@b.com", "Zoë"))));
		await(this.intake.create(this.scope, this.book,
				new ContactForm("full@b.com", "Grace", "Hopper", null, Map.of("team", "navy"), false)));
		assertThat(listed(new Contact.Filter("%"))).hasSize(1);
		assertThat(listed(new Contact.Filter("_"))).hasSize(1);
		assertThat(listed(new Contact.Filter("ZOË"))).hasSize(1);
		assertThat(listed(new Contact.Filter("grace hop"))).extracting(Contact::properties)
			.containsExactly(Map.of("team", "navy"));
		assertThat(listed(new Contact.Filter("nobody"))).isEmpty();
	}

	@Test
	void aListIsReadToItsEndByCursorWhateverIsAddedMeanwhile() {
		await(this.intake.bulk(this.scope, this.book, many("old", 25)));
		Page<Contact> first = await(this.contacts.list(this.scope, this.book, ALL, new Page.Request(1, 10)));
		await(this.intake.bulk(this.scope, this.book, many("new", 5)));
		Page<Contact> second = await(
				this.contacts.list(this.scope, this.book, ALL, new Page.Request(1, 10, first.next())));
		Page<Contact> third = await(
				this.contacts.list(this.scope, this.book, ALL, new Page.Request(1, 10, second.next())));
		assertThat(third.next()).isNull();
		assertThat(third.total()).isEqualTo(30);
		assertThat(List.of(first, second, third)).flatExtracting(Page::items).hasSize(25).doesNotHaveDuplicates();
	}

	@Test
	void whatIsDeletedIsTold() {
		UUID id = await(this.intake.create(this.scope, this.book, form("a@b.com", "Ann"))).id();
		await(this.contacts.delete(this.scope, this.book, id).thenReturn(true));
		refused("Contact not found", this.contacts.delete(this.scope, this.book, id));
		refused("Contact not found", this.contacts.find(this.scope, this.book, id));
		countsAreTrue();
		await(this.intake.bulk(this.scope, this.book, many("many", 150)));
		await(this.books.delete(this.scope, this.book).thenReturn(true));
		assertThat(kinds()).filteredOn("contact.deleted"::equals).hasSize(151);
		refused("Contact book not found", this.books.delete(this.scope, this.book));
		refused("Contact book not found", this.contacts.list(this.scope, this.book, ALL, new Page.Request(1, 10)));
	}

	@Test
	void nobodySeesAnothersContacts() {
		UUID id = await(this.intake.create(this.scope, this.book, form("a@b.com", "Ann"))).id();
		Scope stranger = Scope.of(Given.account("free"));
		UUID other = await(this.books.create(stranger, "Mine")).id();
		refused("Contact not found", this.contacts.find(stranger, this.book, id));
		refused("Contact not found", this.contacts.find(stranger, other, id));
		refused("Contact not found", this.contacts.delete(stranger, other, id));
		refused("Contact not found",
				this.contacts.change(stranger, this.book, id, new Contact.Change("Eve", null, null, null)));
		refused("Contact book not found", this.intake.bulk(stranger, this.book, many("in", 1)));
		assertThat(await(this.intake.put(stranger, other, id, form("other@b.com", null))).added()).isTrue();
	}

	@Test
	void whatCannotBeStoredIsRefusedFieldByField() {
		StepVerifier
			.create(this.intake.bulk(this.scope, this.book,
					List.of(form("fine@b.com", null), form("no address", "a\nb"),
							new ContactForm("a@b.com", null, null, null, Map.of("key", List.of("nul\0")), false))))
			.expectErrorSatisfies((it) -> assertThat(((Refused) it).details()).extracting("field")
				.containsExactly("[1].email", "[1].first_name", "[2].properties"))
			.verify(Duration.ofSeconds(30));
		refused("Invalid request data", this.intake.bulk(this.scope, this.book, List.of()));
		refused("Invalid request data", this.intake.bulk(this.scope, this.book, many("many", 1001)));
		refused("Invalid request data", this.intake.create(this.scope, this.book, form(null, "Ann")));
	}

	private Mono<?> way(int i) {
		return switch (i % 4) {
			case 0 -> this.intake.bulk(this.scope, this.book, many("bulk" + i, 25));
			case 1 -> this.intake.create(this.scope, this.book, form("one" + i + "@b.com", null));
			case 2 -> this.intake.put(this.scope, this.book, UUID.randomUUID(), form("put" + i + "@b.com", null));
			default -> this.intake.bulk(this.scope, this.book, many("more" + i, 7));
		};
	}

	private void countsAreTrue() {
		assertThat(
				Given.rows("select contacts = (select count(*) from contact where contact_book_id = contact_book.id) "
						+ "from contact_book where account_id = '%s'", this.scope.account()))
			.containsOnly("t");
	}

	private List<String> kinds() {
		return Given.rows("select kind from event where account_id = '%s'", this.scope.account());
	}

	private List<Contact> listed(Contact.Filter filter) {
		Page<Contact> page = await(this.contacts.list(this.scope, this.book, filter, new Page.Request(1, 100)));
		assertThat(page.total()).isEqualTo(page.items().size());
		return page.items();
	}

	private static List<@Nullable ContactForm> many(String name, int count) {
		return IntStream.range(0, count)
			.<@Nullable ContactForm>mapToObj((i) -> form(name + i + "@b.com", null))
			.toList();
	}

	private static ContactForm form(@Nullable String email, @Nullable String name) {
		return new ContactForm(email, name, null, null, null, false);
	}

	private static ContactForm form(String email, @Nullable String name, boolean subscribed, boolean resubscribe) {
		return new ContactForm(email, name, null, subscribed, null, resubscribe);
	}

	private static void refused(String error, Mono<?> work) {
		StepVerifier.create(work)
			.expectErrorMatches((it) -> it instanceof Refused refused && refused.refusal().error().equals(error))
			.verify(Duration.ofSeconds(30));
	}

}
