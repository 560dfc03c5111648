package dev.mailroom.campaign;

import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.contact.ContactBooks;
import dev.mailroom.domain.Domain;
import dev.mailroom.domain.Domains;
import dev.mailroom.mail.draft.Mailbox;
import dev.mailroom.template.Template;
import dev.mailroom.template.Templates;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Looks up the contact book, the template and the domain that a campaign refers to. */
@Component
class CampaignReferences {

	private final ContactBooks books;

	private final Templates templates;

	private final Domains domains;

	CampaignReferences(ContactBooks books, Templates templates, Domains domains) {
		this.books = books;
		this.templates = templates;
		this.domains = domains;
	}

	/**
	 * Resolves the references of a campaign within the account.
	 * @throws dev.mailroom.Refused {@code Contact book not found},
	 * {@code Template not found} or {@code From domain mismatch}
	 */
	Mono<Resolved> resolve(Scope scope, CampaignRules.Checked campaign) {
		return this.books.find(scope, campaign.contactBookId())
			.filter((book) -> book.contacts() <= RecipientFilter.MAX_CONTACTS_OF_BEHAVIOUR
					|| !RecipientFilter.hasBehaviour(campaign.filter()))
			.switchIfEmpty(Mono.error(CampaignReferences::tooLarge))
			.flatMap((book) -> source(scope, campaign).flatMap((source) -> domain(scope, campaign.from())
				.map((domain) -> new Resolved(campaign, domain.id(), book.name(), source.html(), source.text()))));
	}

	private static RuntimeException tooLarge() {
		return Refusal.INVALID_REQUEST.field("filter", "can have conditions on opens and clicks for books of at most "
				+ RecipientFilter.MAX_CONTACTS_OF_BEHAVIOUR + " contacts");
	}

	/**
	 * Requires a contact book of the account.
	 * @throws dev.mailroom.Refused {@code Contact book not found}
	 */
	Mono<Void> requireBook(Scope scope, UUID id) {
		return this.books.find(scope, id).then();
	}

	private Mono<Source> source(Scope scope, CampaignRules.Checked campaign) {
		return (campaign.templateId() == null) ? Mono.just(new Source(campaign.htmlContent(), campaign.textContent()))
				: this.templates.find(scope, campaign.templateId()).map(Source::of);
	}

	private Mono<Domain.Sending> domain(Scope scope, Mailbox from) {
		String name = from.address().domain();
		return this.domains.sendable(scope, name)
			.filter((domain) -> domain.name().equals(name))
			.switchIfEmpty(Mono.error(() -> CampaignRefusals.fromMismatch(from)));
	}

	/**
	 * A checked campaign with its references resolved within the account.
	 *
	 * @param html the campaign's own HTML, or its template's at present
	 * @param text the campaign's own text, or its template's at present
	 */
	record Resolved(CampaignRules.Checked checked, UUID domainId, String contactBookName, @Nullable String html,
			@Nullable String text) {

		Resolved {
			if (html == null && text == null) {
				throw new IllegalArgumentException("A campaign needs HTML or text");
			}
		}

	}

	/** The content of a campaign: its own, or its template's. */
	private record Source(@Nullable String html, @Nullable String text) {

		static Source of(Template template) {
			return new Source(template.htmlContent(), template.textContent());
		}

	}

}
