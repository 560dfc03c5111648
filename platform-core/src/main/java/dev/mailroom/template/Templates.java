package dev.mailroom.template;

import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.database.Transactions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Service;

/** Templates of an account. */
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
	 * Creates a template.
	 * @throws dev.mailroom.Refused {@code Invalid request data} or {@code Duplicate name}
	 */
	public Mono<Template> create(Scope scope, Template.Form form) {
		return Mono.defer(() -> {
			TemplateRules.Checked checked = TemplateRules.check(form);
			return this.transactions
				.in(scope, this.store.insert(scope, this.ids.generate(), checked, this.clock.instant()))
				.switchIfEmpty(Mono.error(() -> TemplateRefusals.duplicate(checked.name())));
		});
	}

	/** Lists the account's templates, newest first, and counts them. */
	public Mono<Page<Template>> list(Scope scope, Page.Request page) {
		return this.transactions.list(scope, read(scope, null, page)
			.flatMap((templates) -> this.store.count(scope).map((total) -> Page.of(templates, page, total))));
	}

	/**
	 * The templates of a page, newest first. They are not counted.
	 * @param search part of the name or the subject, regardless of case; null or blank
	 * for all templates
	 */
	public Mono<List<Template>> read(Scope scope, @Nullable String search, Page.Request page) {
		@Nullable String part = (search == null || search.isBlank()) ? null : search.replace('\0', '\uFFFD');
		return this.transactions.list(scope, this.store.list(scope, part, page).collectList());
	}

	/**
	 * Finds a template of the account.
	 * @throws dev.mailroom.Refused {@code Template not found}
	 */
	public Mono<Template> find(Scope scope, UUID id) {
		return this.transactions.in(scope, this.store.find(scope, id))
			.switchIfEmpty(Mono.error(() -> TemplateRefusals.missing(id)));
	}

	/** The contents of the templates with these ids. Without ids no query is made. */
	public Mono<Contents> contents(Scope scope, Collection<UUID> ids) {
		Mono<Map<UUID, Content>> contents = ids.isEmpty() ? Mono.just(Map.of()) : this.transactions.in(scope,
				this.store.findAll(scope, ids).collectMap(Template::id, Template::content));
		return contents.map(Contents::new);
	}

	/**
	 * Changes a template.
	 * @param change maps the present fields to the new ones
	 * @throws dev.mailroom.Refused {@code Template not found},
	 * {@code Invalid request data} or {@code Duplicate name}
	 */
	public Mono<Template> update(Scope scope, UUID id, UnaryOperator<Template.Form> change) {
		Mono<Template> changed = this.store.lock(scope, id)
			.switchIfEmpty(Mono.error(() -> TemplateRefusals.missing(id)))
			.map((template) -> TemplateRules.check(change.apply(template.form())))
			.flatMap((checked) -> this.store.update(scope, id, checked, this.clock.instant())
				.onErrorMap(DuplicateKeyException.class, (_) -> TemplateRefusals.duplicate(checked.name())));
		return this.transactions.in(scope, changed);
	}

	/**
	 * Deletes a template. Mails sent with it keep their content.
	 * @throws dev.mailroom.Refused {@code Template not found}
	 */
	public Mono<Void> delete(Scope scope, UUID id) {
		return this.transactions.in(scope, this.store.delete(scope, id))
			.filter((count) -> count > 0)
			.switchIfEmpty(Mono.error(() -> TemplateRefusals.missing(id)))
			.then();
	}

}
