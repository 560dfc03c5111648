package dev.mailroom.mail.outcome;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

	private static final Set<Suppression.Reason> ALL = EnumSet.allOf(Suppression.Reason.class);

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
		return list(scope, search, ALL, page);
	}

	/**
	 * Lists entries with these reasons, newest first, and counts them.
	 * @param search as in the other list
	 */
	public Mono<Page<Suppression>> list(Scope scope, @Nullable String search, Set<Suppression.Reason> reasons,
			Page.Request page) {
		SuppressionStore.Filter filter = new SuppressionStore.Filter(part(search), reasons);
		Mono<Page<Suppression>> listed = this.store.list(scope, filter, page)
			.collectList()
			.flatMap((entries) -> this.store.count(scope, filter)
				.map((total) -> Page.cut(entries, page, total, Suppression::cursor)));
		return this.transactions.list(scope, listed);
	}

	/**
	 * The entries of a page in the order in which it reads them, and one more than it
	 * holds if there are more. They are not counted.
	 * @param search as in {@link #list}
	 */
	public Mono<List<Suppression>> read(Scope scope, @Nullable String search, Page.Request page) {
		return this.transactions.list(scope,
				this.store.list(scope, new SuppressionStore.Filter(part(search), ALL), page).collectList());
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
		return enterEach(scope, forms).map((entered) -> entered.stream().filter(Suppression.Entered::added).count());
	}

	/**
	 * Adds up to 1000 addresses, all or none.
	 * @return the entry of each address, once and sorted by address
	 * @throws dev.mailroom.Refused {@code Invalid request data}
	 */
	public Mono<List<Suppression.Entered>> enterEach(Scope scope, List<Suppression.@Nullable Form> forms) {
		return Mono.defer(() -> {
			if (forms.isEmpty() || forms.size() > MAX_ADDRESSES_PER_CALL) {
				throw Refusal.INVALID_REQUEST
					.because("The body must be an array of 1 to " + MAX_ADDRESSES_PER_CALL + " addresses");
			}
			Map<String, Suppression.Reason> reasons = Suppression.Form.parse(forms, "[%d].");
			return this.transactions.in(scope, this.store.add(scope, reasons).collectList());
		});
	}

	/** The entries that have one of the ids, or one of the addresses in lower case. */
	public Mono<List<Suppression>> findAll(Scope scope, Suppression.Named named) {
		return this.transactions.in(scope, this.store.findAll(scope, named).collectList());
	}

	/**
	 * Deletes an entry. Mail to its address is sent again.
	 * @throws dev.mailroom.Refused {@code Suppression not found}
	 */
	public Mono<Void> lift(Scope scope, UUID id) {
		return liftAll(scope, new Suppression.Named(List.of(id), List.of())).filter((lifted) -> !lifted.isEmpty())
			.switchIfEmpty(Mono.error(() -> NOT_FOUND.because("There is no suppression " + id)))
			.then();
	}

	/**
	 * Deletes entries. Mail to their addresses is sent again.
	 * @return the entries that were deleted
	 */
	public Mono<List<Suppression>> liftAll(Scope scope, Suppression.Named named) {
		return this.transactions.in(scope, this.store.delete(scope, named).collectList());
	}

}
