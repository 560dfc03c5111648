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

	/** Published contents that a template keeps, with up to 512 Ki characters each. */
	private static final int MAX_VERSIONS = 50;

	private final TemplateStore store;

	private final TemplateVersionStore versions;

	private final BlockDocuments blocks;

	private final Transactions transactions;

	private final NoArgGenerator ids;

	private final Clock clock;

	Templates(TemplateStore store, TemplateVersionStore versions, BlockDocuments blocks, Transactions transactions,
			NoArgGenerator ids, Clock clock) {
		this.store = store;
		this.versions = versions;
		this.blocks = blocks;
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
				.in(scope,
						this.store.insert(scope, this.ids.generate(), checked, this.clock.instant())
							.delayUntil((created) -> this.versions.add(scope, this.ids.generate(), created.id())))
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
	 * Changes a template at once. A changed content is its next version; a draft stays.
	 * @param change maps the present fields to the new ones
	 * @throws dev.mailroom.Refused {@code Template not found},
	 * {@code Invalid request data} or {@code Duplicate name}
	 */
	public Mono<Template> update(Scope scope, UUID id, UnaryOperator<Template.Form> change) {
		return this.transactions.in(scope,
				locked(scope, id).flatMap((template) -> changed(scope, template, change.apply(template.form()))));
	}

	private Mono<Template> locked(Scope scope, UUID id) {
		return this.store.lock(scope, id).switchIfEmpty(Mono.error(() -> TemplateRefusals.missing(id)));
	}

	/** Changes a locked template and adds its content to the history if it is another. */
	private Mono<Template> changed(Scope scope, Template before, Template.Form form) {
		TemplateRules.Checked checked = TemplateRules.check(form);
		UUID id = before.id();
		Mono<Template> updated = this.store.update(scope, id, checked, this.clock.instant())
			.onErrorMap(DuplicateKeyException.class, (_) -> TemplateRefusals.duplicate(checked.name()));
		if (new Template.Form(before.name(), checked.subject(), checked.htmlContent(), checked.textContent())
			.equals(before.form())) {
			return updated;
		}
		return this.versions.addFirst(scope, this.ids.generate(), id)
			.then(updated)
			.delayUntil((_) -> this.versions.add(scope, this.ids.generate(), id)
				.then(this.versions.prune(scope, id, MAX_VERSIONS)));
	}

	/**
	 * Saves a draft of a template, in place of an earlier one. Mail is sent with the
	 * template as it was published last.
	 * @param change maps the fields of the present draft, or without one of the template,
	 * to the new ones
	 * @param document the blocks from which the HTML was written; null if it was written
	 * otherwise
	 * @throws dev.mailroom.Refused {@code Template not found} or
	 * {@code Invalid request data}
	 */
	public Mono<Template> saveDraft(Scope scope, UUID id, UnaryOperator<Template.Form> change,
			@Nullable Map<String, Object> document) {
		return this.transactions.in(scope,
				locked(scope, id).delayUntil((template) -> this.versions.find(scope, id, null)
					.map(TemplateVersion.Stored::form)
					.defaultIfEmpty(template.form())
					.flatMap((form) -> this.versions.saveDraft(scope, this.ids.generate(), id,
							TemplateRules.check(change.apply(form)), this.blocks.text(document),
							this.clock.instant()))));
	}

	/**
	 * Makes the draft of a template its content. Without a draft the template stays.
	 * @throws dev.mailroom.Refused {@code Template not found} or {@code Duplicate name}
	 */
	public Mono<Template> publish(Scope scope, UUID id) {
		return this.transactions.in(scope,
				locked(scope, id).flatMap((template) -> this.versions.find(scope, id, null)
					.flatMap((draft) -> this.blocks.save(scope, id, draft)
						.then(changed(scope, template, draft.form()))
						.delayUntil((_) -> this.versions.deleteDraft(scope, id)))
					.defaultIfEmpty(template)));
	}

	/**
	 * Discards the draft of a template, if it has one.
	 * @throws dev.mailroom.Refused {@code Template not found}
	 */
	public Mono<Template> discardDraft(Scope scope, UUID id) {
		return this.transactions.in(scope, locked(scope, id).delayUntil((_) -> this.versions.deleteDraft(scope, id)));
	}

	/** The draft and the versions of a template, newest first. */
	public Mono<List<TemplateVersion>> versions(Scope scope, UUID id) {
		return this.transactions.list(scope, this.versions.list(scope, id).collectList());
	}

	/**
	 * The content of a version; empty if it is not kept.
	 * @param number null for the draft
	 */
	public Mono<TemplateVersion.Stored> version(Scope scope, UUID id, @Nullable Integer number) {
		return this.transactions.in(scope, this.versions.find(scope, id, number));
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
