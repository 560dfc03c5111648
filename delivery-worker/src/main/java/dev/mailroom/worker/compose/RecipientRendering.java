package dev.mailroom.worker.compose;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import dev.mailroom.mail.queue.HandOver;
import dev.mailroom.mail.queue.Merge;
import dev.mailroom.mail.queue.StoredMail;
import dev.mailroom.tracking.LinkTarget;
import dev.mailroom.tracking.Links;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Adds a recipient's personal content to a mail: the placeholders of a campaign, tracked
 * links, a tracking pixel, and the header fields for one-click unsubscription (RFC 8058).
 * The result is the same for each attempt.
 */
@Component
class RecipientRendering {

	/** Invisible image, ignored by screen readers. */
	static final String PIXEL = "<img src=\"%s\" alt=\"\" width=\"1\" height=\"1\" border=\"0\" "
			+ "style=\"height:1px!important;width:1px!important;border-width:0!important;margin:0!important;"
			+ "padding:0!important\">";

	private static final Set<String> UNSUBSCRIBE_FIELDS = Set.of("list-unsubscribe", "list-unsubscribe-post");

	private final Links links;

	private final CampaignBodies bodies;

	RecipientRendering(Links links, CampaignBodies bodies) {
		this.links = links;
		this.bodies = bodies;
	}

	/** Renders or parses the HTML; takes processor time in proportion to its length. */
	PersonalMail of(HandOver handOver) {
		ComposeLimits.check(handOver.mail());
		if (handOver.merge() == null) {
			return tracked(handOver);
		}
		CampaignBodies.Body body = this.bodies.of(handOver);
		HandOver rendered = handOver.with(body.render(handOver));
		return body.hasPersonalLinks() ? tracked(rendered) : new PersonalMail(rendered, null, body.targets());
	}

	private PersonalMail tracked(HandOver handOver) {
		@Nullable String html = handOver.mail().html();
		if (html == null || !(handOver.openTracking() || handOver.clickTracking())) {
			return new PersonalMail(handOver, null, Set.of());
		}
		HtmlLinks parsed = HtmlLinks.of(html);
		Set<LinkTarget> targets = handOver.clickTracking() ? trackedTargets(parsed) : Set.of();
		ComposeLimits.checkLinks(targets.size());
		return new PersonalMail(handOver, parsed, targets);
	}

	private Set<LinkTarget> trackedTargets(HtmlLinks parsed) {
		return parsed.targets().stream().filter((target) -> !this.links.isOwn(target)).collect(Collectors.toSet());
	}

	private Map<String, String> headers(HandOver handOver) {
		@Nullable UUID contact = handOver.contactId();
		if (contact == null) {
			return handOver.mail().headers();
		}
		Map<String, String> headers = new LinkedHashMap<>(handOver.mail().headers());
		headers.keySet().removeIf((name) -> UNSUBSCRIBE_FIELDS.stream().anyMatch(name::equalsIgnoreCase));
		headers.put("List-Unsubscribe", "<" + unsubscribeUrl(handOver, contact) + ">");
		headers.put("List-Unsubscribe-Post", "List-Unsubscribe=One-Click");
		return headers;
	}

	private String unsubscribeUrl(HandOver handOver, UUID contact) {
		@Nullable Merge merge = handOver.merge();
		return this.links.unsubscribeUrl(handOver.accountId(), contact, (merge != null) ? merge.campaignId() : null);
	}

	/** A mail with personal content whose HTML is parsed. */
	final class PersonalMail {

		private final HandOver handOver;

		private final @Nullable HtmlLinks parsed;

		private final Set<LinkTarget> targets;

		private PersonalMail(HandOver handOver, @Nullable HtmlLinks parsed, Set<LinkTarget> targets) {
			this.handOver = handOver;
			this.parsed = parsed;
			this.targets = targets;
		}

		/** Stores the targets of the tracked links. */
		Mono<Void> store() {
			return this.targets.isEmpty() ? Mono.empty()
					: RecipientRendering.this.links.store(this.handOver.accountId(), this.targets);
		}

		/** The personal mail; takes processor time in proportion to its length. */
		StoredMail mail() {
			StoredMail mail = this.handOver.mail();
			@Nullable String html = (this.parsed != null) ? tracked(this.parsed) : mail.html();
			return new StoredMail(mail.sender(), mail.to(), mail.cc(), mail.replyTo(), mail.subject(), html,
					mail.text(), headers(this.handOver), mail.attachments(), mail.createdAt(), mail.stream());
		}

		private String tracked(HtmlLinks parsed) {
			UUID account = this.handOver.accountId();
			UUID delivery = this.handOver.lease().delivery();
			Links links = RecipientRendering.this.links;
			String pixel = this.handOver.openTracking() ? PIXEL.formatted(links.openUrl(account, delivery)) : "";
			return parsed.with((target) -> this.targets.contains(target)
					? Optional.of(links.clickUrl(account, delivery, target)) : Optional.empty(), pixel);
		}

	}

}
