package dev.mailroom.campaign;

import java.time.Clock;
import java.util.UUID;
import java.util.function.UnaryOperator;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import dev.mailroom.accept.Mailbox;
import dev.mailroom.contact.ContactBooks;
import dev.mailroom.domain.Domain;
import dev.mailroom.domain.Domains;
import dev.mailroom.template.Template;
import dev.mailroom.template.Templates;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** The campaigns of an account: what they say and to whom. */
@Service
public class Campaigns {

	private final CampaignStore store;

	private final ContactBooks books;

	private final Templates templates;

	private final Domains domains;

	private final Transactions transactions;

	private final NoArgGenerator ids;

	private final Clock clock;

	Campaigns(CampaignStore store, ContactBooks books, Templates templates, Domains domains, Transactions transactions,
			NoArgGenerator ids, Clock clock) {
		this.store = store;
		this.books = books;
		this.templates = templates;
		this.domains = domains;
		this.transactions = transactions;
		this.ids = ids;
		this.clock = clock;
	}

	/**
	 * Keeps a campaign: scheduled where it has a time, else a draft.
	 * @throws dev.mailroom.Refused {@code Invalid request data},
	 * {@code Contact book not found}, {@code Template not found} or
	 * {@code From domain mismatch}
	 */
	public Mono<Campaign> create(Scope scope, Campaign.Asked asked) {
		return Mono.defer(() -> {
			CampaignRules.Fit fit = CampaignRules.check(asked, null, this.clock.instant());
			UUID id = this.ids.generate();
			Mono<Campaign> kept = written(scope, fit)
				.flatMap((campaign) -> this.store.insert(scope, id, campaign, this.clock.instant()))
				.then(Mono.defer(() -> this.store.find(scope, id)));
			return this.transactions.in(scope, kept);
		});
	}

	/** The account's campaigns, newest first. */
	public Mono<Page<Campaign.Listed>> list(Scope scope, Campaign.Filter filter, Page.Request page) {
		Mono<Page<Campaign.Listed>> found = this.store.list(scope, filter, page)
			.collectList()
			.flatMap((campaigns) -> this.store.count(scope, filter).map((total) -> new Page<>(campaigns, page, total)));
		return this.transactions.in(scope, found);
	}

	/** One of the account's campaigns. */
	public Mono<Campaign> find(Scope scope, UUID id) {
		return this.transactions.in(scope, this.store.find(scope, id))
			.switchIfEmpty(Mono.error(() -> CampaignRefusals.missing(id)));
	}

	/**
	 * Changes a campaign that does not run yet. A time makes it scheduled, and taking the
	 * time away a draft.
	 * @param change makes of what is there what is asked for
	 * @throws dev.mailroom.Refused as {@link #create} does, or
	 * {@code Campaign not found}, or because it has gone too far for that
	 */
	public Mono<Campaign> update(Scope scope, UUID id, UnaryOperator<Campaign.Asked> change) {
		Mono<Campaign> changed = this.store.hold(scope, id)
			.flatMap((_) -> this.store.find(scope, id))
			.switchIfEmpty(Mono.error(() -> CampaignRefusals.missing(id)))
			.flatMap((campaign) -> change(scope, campaign, change.apply(campaign.asked())))
			.then(Mono.defer(() -> this.store.find(scope, id)));
		return this.transactions.in(scope, changed);
	}

	/**
	 * Deletes a campaign that is not running. What it sent stays in the log.
	 * @throws dev.mailroom.Refused {@code Campaign not found}, or because it runs
	 */
	public Mono<Void> delete(Scope scope, UUID id) {
		Mono<Long> deleted = this.store.delete(scope, id)
			.filter((count) -> count > 0)
			.switchIfEmpty(this.store.find(scope, id)
				.flatMap((campaign) -> Mono.error(() -> CampaignAction.DELETE.refused(id, campaign.status()))))
			.switchIfEmpty(Mono.error(() -> CampaignRefusals.missing(id)));
		return this.transactions.in(scope, deleted).then();
	}

	private Mono<Void> change(Scope scope, Campaign before, Campaign.Asked asked) {
		if (!CampaignAction.EDIT.fits(before.status())) {
			return Mono.error(CampaignAction.EDIT.refused(before.id(), before.status()));
		}
		CampaignRules.Fit fit = CampaignRules.check(asked, before.sendAt(), this.clock.instant());
		if (before.startedAt() == null) {
			return written(scope, fit)
				.flatMap((campaign) -> this.store.update(scope, before.id(), campaign, this.clock.instant()));
		}
		if (!asked.like(before.asked()).equals(before.asked())) {
			return Mono.error(CampaignRefusals.FROZEN
				.because("What campaign " + before.id() + " says, and to whom, was fixed when it first ran"));
		}
		return this.store.rename(scope, before.id(), fit, this.clock.instant());
	}

	private Mono<ResolvedCampaign> written(Scope scope, CampaignRules.Fit fit) {
		return this.books.find(scope, fit.contactBookId())
			.flatMap((book) -> source(scope, fit).flatMap((source) -> sender(scope, fit.from())
				.map((domain) -> new ResolvedCampaign(fit, domain.id(), book.name(), source.html(), source.text()))));
	}

	private Mono<Source> source(Scope scope, CampaignRules.Fit fit) {
		return (fit.templateId() == null) ? Mono.just(new Source(fit.htmlContent(), fit.textContent()))
				: this.templates.find(scope, fit.templateId()).map(Source::of);
	}

	private Mono<Domain.Named> sender(Scope scope, Mailbox from) {
		String name = from.address().domain();
		return this.domains.sendable(scope, name)
			.filter((domain) -> domain.name().equals(name))
			.switchIfEmpty(Mono.error(() -> CampaignRefusals.FROM_MISMATCH
				.because("from must be of one of the account's verified domains, and is " + from)));
	}

	/** Where a campaign's content comes from. */
	private record Source(@Nullable String html, @Nullable String text) {

		static Source of(Template template) {
			return new Source(template.htmlContent(), template.textContent());
		}

	}

}
