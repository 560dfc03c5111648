package dev.mailroom.contact;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import dev.mailroom.CoreTest;
import dev.mailroom.Given;
import dev.mailroom.Page;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

@CoreTest
class ContactBookTest {

	private static final Page.Request FIRST = new Page.Request(1, 50);

	@Autowired
	ContactBooks books;

	private final Scope scope = Scope.of(Given.account("free"));

	@Test
	void booksAreListedNewestFirstAndOnlyToTheirOwner() {
		ContactBook first = await(this.books.create(this.scope, " Friends "));
		ContactBook second = await(this.books.create(this.scope, "Friends"));
		assertThat(first.name()).isEqualTo("Friends");
		assertThat(first.accountId()).isEqualTo(this.scope.account());
		Page<ContactBook> page = await(this.books.list(this.scope, FIRST));
		assertThat(page.items()).extracting(ContactBook::id).containsExactly(second.id(), first.id());
		assertThat(page.total()).isEqualTo(2);
		Scope stranger = Scope.of(Given.account("free"));
		assertThat(await(this.books.list(stranger, FIRST)).items()).isEmpty();
		refused("Contact book not found", this.books.find(stranger, first.id()));
		refused("Contact book not found", this.books.rename(stranger, first.id(), "Mine"));
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "", "  ", "two\nlines", "nul\0" })
	void aNameThatCannotBeShownIsRefused(String name) {
		refused("Invalid request data", this.books.create(this.scope, name));
	}

	@Test
	void aNewNameStaysWhereNoneIsGiven() {
		UUID id = await(this.books.create(this.scope, "Friends")).id();
		assertThat(await(this.books.rename(this.scope, id, null)).name()).isEqualTo("Friends");
		ContactBook renamed = await(this.books.rename(this.scope, id, "Foes"));
		assertThat(renamed.name()).isEqualTo("Foes");
		assertThat(renamed.updatedAt()).isAfter(renamed.createdAt());
		refused("Invalid request data", this.books.rename(this.scope, id, " "));
	}

	@Test
	void thePlansLimitOfBooksIsExactHoweverManyAskAtOnce() {
		List<String> outcomes = Flux.range(0, 12)
			.flatMap((i) -> this.books.create(this.scope, "Book " + i)
				.map((_) -> "made")
				.onErrorResume(Refused.class, (refused) -> Mono.just(refused.refusal().error())), 12)
			.collectList()
			.block(Duration.ofSeconds(30));
		assertThat(outcomes).filteredOn("made"::equals).hasSize(2);
		assertThat(outcomes).filteredOn("Contact book limit reached"::equals).hasSize(10);
	}

	private static void refused(String error, Mono<?> work) {
		StepVerifier.create(work)
			.expectErrorMatches((it) -> it instanceof Refused refused && refused.refusal().error().equals(error))
			.verify(Duration.ofSeconds(30));
	}

}
