package dev.mailroom.worker.compose;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import dev.mailroom.queue.HandOver;
import dev.mailroom.queue.Mail;
import dev.mailroom.tracking.LinkTarget;
import dev.mailroom.tracking.Links;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Adds a recipient's personal content to a mail: tracked links, a tracking pixel, and the
 * header fields for one-click unsubscription (RFC 8058). The result is the same for each
 * attempt.
 */
@Component
class RecipientRendering {

	/** Invisible image, ignored by screen readers. */
	private static final String PIXEL = "<img src=\"%s\" alt=\"\" width=\"1\" height=\"1\" border=\"0\" "
			+ "style=\"height:1px!important;width:1px!important;border-width:0!important;margin:0!important;"
			+ "padding:0!important\">";

	private static final Set<String> UNSUBSCRIBE_FIELDS = Set.of("list-unsubscribe", "list-unsubscribe-post");

	private final Links links;

	RecipientRendering(Links links) {
		this.links = links;
	}

	/** The personal mail, after the targets of its links are stored. */
	Mono<Mail> of(HandOver handOver) {
		Mail mail = handOver.mail();
		Map<String, String> headers = headers(handOver);
		@Nullable String html = mail.html();
		if (html == null || !(handOver.openTracking() || handOver.clickTracking())) {
			return Mono.just(copy(mail, html, headers));
		}
		HtmlLinks links = HtmlLinks.of(html);
		Set<LinkTarget> trackedTargets = handOver.clickTracking() ? trackedTargets(links) : Set.of();
		return this.links.store(handOver.accountId(), trackedTargets)
			.then(Mono.fromSupplier(() -> copy(mail, tracked(handOver, links, trackedTargets), headers)));
	}

	private Set<LinkTarget> trackedTargets(HtmlLinks links) {
		return links.targets().stream().filter((target) -> !this.links.isOwn(target)).collect(Collectors.toSet());
	}

	private String tracked(HandOver handOver, HtmlLinks links, Set<LinkTarget> targets) {
		UUID account = handOver.accountId();
		UUID delivery = handOver.lease().delivery();
		String pixel = handOver.openTracking() ? PIXEL.formatted(this.links.openUrl(account, delivery)) : "";
		return links.with((target) -> targets.contains(target)
				? Optional.of(this.links.clickUrl(account, delivery, target)) : Optional.empty(), pixel);
	}

	private Map<String, String> headers(HandOver handOver) {
		@Nullable UUID contact = handOver.contactId();
		if (contact == null) {
			return handOver.mail().headers();
		}
		Map<String, String> headers = new LinkedHashMap<>(handOver.mail().headers());
		headers.keySet().removeIf((name) -> UNSUBSCRIBE_FIELDS.stream().anyMatch(name::equalsIgnoreCase));
		headers.put("List-Unsubscribe", "<" + this.links.unsubscribeUrl(handOver.accountId(), contact) + ">");
		headers.put("List-Unsubscribe-Post", "List-Unsubscribe=One-Click");
		return headers;
	}

	private static Mail copy(Mail mail, @Nullable String html, Map<String, String> headers) {
		return new Mail(mail.sender(), mail.to(), mail.cc(), mail.replyTo(), mail.subject(), html, mail.text(), headers,
				mail.attachments(), mail.createdAt(), mail.stream());
	}

}
