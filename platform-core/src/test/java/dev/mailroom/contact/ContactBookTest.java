package dev.mailroom.contact;

import java.util.List;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.awaitRefusal;
import static dev.mailroom.Await.errorName;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class ContactBookTest {

	private static final Page.Request FIRST_PAGE = new Page.Request(1, 50);

	@Autowired
	ContactBooks books;

	private final Scope scope = Scope.of(Given.account("free"));

	@Test
	void booksAreListedNewestFirst() {
		ContactBook first = await(this.books.create(this.scope, " Friends ", null, false));
		ContactBook second = await(this.books.create(this.scope, "Friends", null, false));
		assertThat(first.name()).isEqualTo("Friends");
		assertThat(first.accountId()).isEqualTo(this.scope.account());
		Page<ContactBook> page = await(this.books.list(this.scope, FIRST_PAGE));
		assertThat(page.items()).extracting(ContactBook::id).containsExactly(second.id(), first.id());
		assertThat(page.total()).isEqualTo(2);
	}

	@Test
	void anotherAccountsBookIsNotFound() {
		UUID id = await(this.books.create(this.scope, "Friends", null, false)).id();
		Scope other = Scope.of(Given.account("free"));
		assertThat(await(this.books.list(other, FIRST_PAGE)).items()).isEmpty();
		awaitRefusal("Contact book not found", this.books.find(other, id));
		awaitRefusal("Contact book not found", this.books.change(other, id, "Mine", null, null));
		awaitRefusal("Contact book not found", this.books.delete(other, id));
		assertThat(await(this.books.find(this.scope, id)).name()).isEqualTo("Friends");
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "", "  ", "two\nlines", "nul\0" })
	void aNameMustBeOneNonBlankLine(String name) {
		awaitRefusal("Invalid request data", this.books.create(this.scope, name, null, false));
	}

	@Test
	void renamingWithoutANameKeepsTheName() {
		UUID id = await(this.books.create(this.scope, "Friends", null, false)).id();
		assertThat(await(this.books.change(this.scope, id, null, null, null)).name()).isEqualTo("Friends");
		ContactBook renamed = await(this.books.change(this.scope, id, "Foes", null, null));
		assertThat(renamed.name()).isEqualTo("Foes");
		assertThat(renamed.updatedAt()).isAfter(renamed.createdAt());
		awaitRefusal("Invalid request data", this.books.change(this.scope, id, " ", null, null));
	}

	@Test
	void concurrentCallsDoNotExceedThePlansLimitOfBooks() {
		List<String> results = await(Flux.range(0, 12)
			.flatMap((i) -> errorName(this.books.create(this.scope, "Book " + i, null, false)), 12)
			.collectList());
		assertThat(results).filteredOn("ok"::equals).hasSize(2);
		assertThat(results).filteredOn("Contact book limit reached"::equals).hasSize(10);
	}

}
