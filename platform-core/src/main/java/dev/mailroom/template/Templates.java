package dev.mailroom.template;

import java.time.Clock;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import reactor.core.publisher.Mono;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Service;

/** The templates of an account. */
@Service
public class Templates {

	private final TemplateStore store;

	private final Transactions transactions;

	private final NoArgGenerator ids;

	private final Clock clock;

	Templates(TemplateStore store, Transactions transactions, NoArgGenerator ids, Clock clock) {
		this.store = store;
		this.transactions = transactions;
		this.ids = ids;
		this.clock = clock;
	}

	/**
	 * Keeps a template.
	 * @throws dev.mailroom.Refused {@code Invalid request data} or {@code Duplicate name}
	 */
	public Mono<Template> create(Scope scope, Template.Asked asked) {
		return Mono.defer(() -> {
			TemplateRules.Fit fit = TemplateRules.check(asked);
			return this.transactions.in(scope, this.store.insert(scope, this.ids.generate(), fit, this.clock.instant()))
				.switchIfEmpty(Mono.error(() -> TemplateRefusals.duplicate(fit.name())));
		});
	}

	/** The account's templates, newest first. */
	public Mono<Page<Template>> list(Scope scope, Page.Request page) {
		Mono<Page<Template>> found = this.store.list(scope, page)
			.collectList()
			.flatMap((templates) -> this.store.count(scope).map((total) -> new Page<>(templates, page, total)));
		return this.transactions.in(scope, found);
	}

	/** One of the account's templates. */
	public Mono<Template> find(Scope scope, UUID id) {
		return this.transactions.in(scope, this.store.find(scope, id))
			.switchIfEmpty(Mono.error(() -> TemplateRefusals.missing(id)));
	}

	/** What templates say, asked for by id: nothing is looked up where there are none. */
	public Mono<Contents> contents(Scope scope, Collection<UUID> ids) {
		Mono<Map<UUID, Content>> known = ids.isEmpty() ? Mono.just(Map.of())
				: this.transactions.in(scope, this.store.among(scope, ids).collectMap(Template::id, Template::content));
		return known.map(Contents::new);
	}

	/**
	 * Changes a template.
	 * @param change makes of what is there what is asked for
	 * @throws dev.mailroom.Refused {@code Template not found},
	 * {@code Invalid request data} or {@code Duplicate name}
	 */
	public Mono<Template> update(Scope scope, UUID id, UnaryOperator<Template.Asked> change) {
		Mono<Template> changed = this.store.hold(scope, id)
			.switchIfEmpty(Mono.error(() -> TemplateRefusals.missing(id)))
			.map((template) -> TemplateRules.check(change.apply(template.asked())))
			.flatMap((fit) -> this.store.update(scope, id, fit, this.clock.instant())
				.onErrorMap(DuplicateKeyException.class, (_) -> TemplateRefusals.duplicate(fit.name())));
		return this.transactions.in(scope, changed);
	}

	/** Deletes a template. What was sent with it stays as it was. */
	public Mono<Void> delete(Scope scope, UUID id) {
		return this.transactions.in(scope, this.store.delete(scope, id))
			.filter((count) -> count > 0)
			.switchIfEmpty(Mono.error(() -> TemplateRefusals.missing(id)))
			.then();
	}

}
