package dev.mailroom.contact;

import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/** A new account of the free plan with an empty contact book. */
final class TestBook {

	static final Consent.Origin API = Consent.Origin.of(Consent.Source.API);

	final Scope scope = Scope.of(Given.account("free"));

	final UUID id = UUID.randomUUID();

	TestBook() {
		Given.run("insert into contact_book (id, account_id, name, created_at, updated_at) "
				+ "values ('%s', '%s', 'Friends', now(), now())", this.id, this.scope.account());
	}

	/** The kinds of the account's events. */
	List<String> events() {
		return Given.rows("select kind from event where account_id = '%s' order by transaction_id, id",
				this.scope.account());
	}

	/**
	 * Asserts that the numbers of contacts in the books are those of the contact rows.
	 */
	void assertCountsMatchContacts() {
		assertThat(
				Given.rows("select contacts = (select count(*) from contact where contact_book_id = contact_book.id) "
						+ "from contact_book where account_id = '%s'", this.scope.account()))
			.containsOnly("t");
	}

	static ContactForm form(@Nullable String email, @Nullable String firstName) {
		return new ContactForm(email, firstName, null, null, null, false, API);
	}

	static ContactForm form(String email, @Nullable String firstName, boolean subscribed, boolean resubscribe) {
		return new ContactForm(email, firstName, null, subscribed, null, resubscribe, API);
	}

	/** Forms with distinct addresses. */
	static List<@Nullable ContactForm> forms(String prefix, int count) {
		return IntStream.range(0, count)
			.<@Nullable ContactForm>mapToObj((i) -> form(prefix + i + "@b.com", null))
			.toList();
	}

}
