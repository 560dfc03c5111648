package dev.mailroom.suppression;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Whom an account must not send to. */
@Service
public class Suppressions {

	private static final int MOST = 1000;

	private final SuppressionStore store;

	private final Transactions transactions;

	Suppressions(SuppressionStore store, Transactions transactions) {
		this.store = store;
		this.transactions = transactions;
	}

	/**
	 * Those of the targets that are suppressed. Call it inside the transaction that needs
	 * to know.
	 */
	public Mono<Set<SuppressionKey>> among(Collection<SuppressionKey> targets) {
		return targets.isEmpty() ? Mono.just(Set.of())
				: this.store.among(List.copyOf(targets)).collect(Collectors.toSet());
	}

	/** Suppresses those who are not yet. Call it inside the transaction that says why. */
	public Mono<Void> add(List<Suppressed> suppressed) {
		return suppressed.isEmpty() ? Mono.empty() : this.store.add(suppressed);
	}

	/**
	 * The account's list, newest first.
	 * @param search a part of the address, taken literally; null for all
	 */
	public Mono<Page<Suppression>> list(Scope scope, @Nullable String search, Page.Request page) {
		// NUL stands in no address, and PostgreSQL has no such character.
		@Nullable String part = (search == null || search.isBlank()) ? null : search.replace('\0', '\uFFFD');
		Mono<Page<Suppression>> found = this.store.list(scope, part, page)
			.collectList()
			.flatMap((entries) -> this.store.count(scope, part)
				.map((total) -> Page.cut(entries, page, total, (it) -> new Page.Cursor(it.createdAt(), it.id()))));
		return this.transactions.in(scope, found);
	}

	/**
	 * Enters an address; one that is there stays as it was.
	 * @throws dev.mailroom.Refused {@code Invalid request data}
	 */
	public Mono<Suppression.Entered> enter(Scope scope, SuppressionForm form) {
		return Mono.defer(() -> {
			Map<String, String> read = SuppressionForm.read(List.of(form), "");
			return this.transactions.in(scope, this.store.enter(scope, read)).single();
		});
	}

	/**
	 * Enters up to a thousand addresses, all or none.
	 * @return how many were not there before
	 * @throws dev.mailroom.Refused {@code Invalid request data}
	 */
	public Mono<Long> enterAll(Scope scope, List<@Nullable SuppressionForm> forms) {
		return Mono.defer(() -> {
			if (forms.isEmpty() || forms.size() > MOST) {
				throw SuppressionRefusals.INVALID.because("The body must be an array of 1 to " + MOST + " addresses");
			}
			Map<String, String> read = SuppressionForm.read(forms, "[%d].");
			return this.transactions.in(scope,
					this.store.enter(scope, read).filter(Suppression.Entered::added).count());
		});
	}

	/** Takes an entry off the list: mail goes to its address again. */
	public Mono<Void> lift(Scope scope, UUID id) {
		return this.transactions.in(scope, this.store.delete(scope, id))
			.filter((count) -> count > 0)
			.switchIfEmpty(Mono.error(() -> SuppressionRefusals.NOT_FOUND.because("There is no suppression " + id)))
			.then();
	}

}
