package dev.mailroom.mail.outcome;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.database.Transactions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Suppression lists: addresses that an account does not send to. */
@Service
public class Suppressions {

	private static final Refusal NOT_FOUND = Refusal.notFound("Suppression not found");

	private static final int MAX_ADDRESSES_PER_CALL = 1000;

	private final SuppressionStore store;

	private final Transactions transactions;

	Suppressions(SuppressionStore store, Transactions transactions) {
		this.store = store;
		this.transactions = transactions;
	}

	/**
	 * Lists the account's entries, newest first, and counts them.
	 * @param search part of the address, matched literally and regardless of case; null
	 * for all
	 */
	public Mono<Page<Suppression>> list(Scope scope, @Nullable String search, Page.Request page) {
		@Nullable String part = part(search);
		Mono<Page<Suppression>> listed = this.store.list(scope, part, page)
			.collectList()
			.flatMap((entries) -> this.store.count(scope, part)
				.map((total) -> Page.cut(entries, page, total, Suppression::cursor)));
		return this.transactions.list(scope, listed);
	}

	/**
	 * The entries of a page in the order in which it reads them, and one more than it
	 * holds if there are more. They are not counted.
	 * @param search as in {@link #list}
	 */
	public Mono<List<Suppression>> read(Scope scope, @Nullable String search, Page.Request page) {
		return this.transactions.list(scope, this.store.list(scope, part(search), page).collectList());
	}

	/** PostgreSQL rejects NUL, and no address contains the replacement character. */
	private static @Nullable String part(@Nullable String search) {
		return (search == null || search.isBlank()) ? null : search.replace('\0', '\uFFFD');
	}

	/**
	 * Adds an address; an existing entry stays as it is.
	 * @throws dev.mailroom.Refused {@code Invalid request data}
	 */
	public Mono<Suppression.Entered> enter(Scope scope, Suppression.Form form) {
		return Mono.defer(() -> {
			Map<String, Suppression.Reason> reasons = Suppression.Form.parse(List.of(form), "");
			return this.transactions.in(scope, this.store.add(scope, reasons)).single();
		});
	}

	/**
	 * Adds up to 1000 addresses, all or none.
	 * @return the number of new entries
	 * @throws dev.mailroom.Refused {@code Invalid request data}
	 */
	public Mono<Long> enterAll(Scope scope, List<Suppression.@Nullable Form> forms) {
		return Mono.defer(() -> {
			if (forms.isEmpty() || forms.size() > MAX_ADDRESSES_PER_CALL) {
				throw Refusal.INVALID_REQUEST
					.because("The body must be an array of 1 to " + MAX_ADDRESSES_PER_CALL + " addresses");
			}
			Map<String, Suppression.Reason> reasons = Suppression.Form.parse(forms, "[%d].");
			return this.transactions.in(scope,
					this.store.add(scope, reasons).filter(Suppression.Entered::added).count());
		});
	}

	/**
	 * Deletes an entry. Mail to its address is sent again.
	 * @throws dev.mailroom.Refused {@code Suppression not found}
	 */
	public Mono<Void> lift(Scope scope, UUID id) {
		return this.transactions.in(scope, this.store.delete(scope, id))
			.filter((count) -> count > 0)
			.switchIfEmpty(Mono.error(() -> NOT_FOUND.because("There is no suppression " + id)))
			.then();
	}

}
