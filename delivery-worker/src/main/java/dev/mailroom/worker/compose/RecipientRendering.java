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
 * Makes the copy of a mail that one recipient gets: with links that lead through us and a
 * picture that tells of its opening, where that is asked for, and with the way out of the
 * book (RFC 8058) for a contact. The same copy at every attempt.
 */
@Component
class RecipientRendering {

	/** Says nothing to who sees it, and nothing to who has it read out. */
	private static final String PICTURE = "<img src=\"%s\" alt=\"\" width=\"1\" height=\"1\" border=\"0\" "
			+ "style=\"height:1px!important;width:1px!important;border-width:0!important;margin:0!important;"
			+ "padding:0!important\">";

	private static final Set<String> OURS = Set.of("list-unsubscribe", "list-unsubscribe-post");

	private final Links links;

	RecipientRendering(Links links) {
		this.links = links;
	}

	/** The copy, once the targets that its links lead to are kept. */
	Mono<Mail> of(HandOver handOver) {
		Mail mail = handOver.mail();
		Map<String, String> headers = headers(handOver);
		@Nullable String html = mail.html();
		if (html == null || !(handOver.openTracking() || handOver.clickTracking())) {
			return Mono.just(copy(mail, html, headers));
		}
		HtmlLinks found = HtmlLinks.of(html);
		Set<LinkTarget> led = handOver.clickTracking() ? led(found) : Set.of();
		return this.links.store(handOver.accountId(), led)
			.then(Mono.fromSupplier(() -> copy(mail, tracked(handOver, found, led), headers)));
	}

	private Set<LinkTarget> led(HtmlLinks found) {
		return found.targets().stream().filter((target) -> !this.links.isOwn(target)).collect(Collectors.toSet());
	}

	private String tracked(HandOver handOver, HtmlLinks found, Set<LinkTarget> led) {
		UUID account = handOver.accountId();
		UUID delivery = handOver.lease().delivery();
		String picture = handOver.openTracking() ? PICTURE.formatted(this.links.openUrl(account, delivery)) : "";
		return found.with((target) -> led.contains(target) ? Optional.of(this.links.clickUrl(account, delivery, target))
				: Optional.empty(), picture);
	}

	private Map<String, String> headers(HandOver handOver) {
		@Nullable UUID contact = handOver.contactId();
		if (contact == null) {
			return handOver.mail().headers();
		}
		Map<String, String> headers = new LinkedHashMap<>(handOver.mail().headers());
		headers.keySet().removeIf((name) -> OURS.stream().anyMatch(name::equalsIgnoreCase));
		headers.put("List-Unsubscribe", "<" + this.links.unsubscribeUrl(handOver.accountId(), contact) + ">");
		headers.put("List-Unsubscribe-Post", "List-Unsubscribe=One-Click");
		return headers;
	}

	private static Mail copy(Mail mail, @Nullable String html, Map<String, String> headers) {
		return new Mail(mail.sender(), mail.to(), mail.cc(), mail.replyTo(), mail.subject(), html, mail.text(), headers,
				mail.attachments(), mail.createdAt(), mail.stream());
	}

}
