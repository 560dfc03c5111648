package dev.mailroom.api.email;

import java.util.Set;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.api.http.PageSize;
import dev.mailroom.api.http.Success;
import dev.mailroom.mail.log.Email;
import dev.mailroom.mail.log.Emails;
import dev.mailroom.mail.outcome.Attempts;
import dev.mailroom.webhook.Feed;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Lists emails, their events and their delivery attempts. */
@RestController
class LogController {

	private static final Set<String> STATUSES = Set.of("pending", "sent", "delivered", "bounced", "complained",
			"failed");

	private final Emails emails;

	private final Attempts attempts;

	private final Feed feed;

	LogController(Emails emails, Attempts attempts, Feed feed) {
		this.emails = emails;
		this.attempts = attempts;
		this.feed = feed;
	}

	@GetMapping({ "/emails", "/emails/logs" })
	Mono<Success> list(Scope scope, @PageSize(defaultLimit = 50, maxLimit = 100, cursor = true) Page.Request page,
			@RequestParam(name = "domain_id", required = false) @Nullable UUID domainId,
			@RequestParam(required = false) @Nullable String status) {
		if (status != null && !STATUSES.contains(status)) {
			String message = "must be one of pending, sent, delivered, bounced, complained, failed";
			return Mono.error(Refusal.INVALID_REQUEST.field("status", message));
		}
		Email.Filter filter = new Email.Filter(domainId, status);
		return this.emails.list(scope, filter, page).map((emails) -> Success.list("emails", emails.map(LogItem::of)));
	}

	@GetMapping("/emails/{id}/events")
	Mono<Success> events(Scope scope, @PathVariable UUID id,
			@PageSize(defaultLimit = 50, maxLimit = 100, cursor = true) Page.Request page) {
		return this.feed.ofEmail(scope, id, page).map((events) -> Success.list("events", events.map(EventItem::of)));
	}

	/**
	 * Requires that the email is visible: a key may read only attempts of its own domain.
	 */
	@GetMapping("/emails/{id}/attempts")
	Mono<Success> attempts(Scope scope, @PathVariable UUID id) {
		return this.emails.find(scope, id)
			.then(this.attempts.of(scope, id))
			.map((attempts) -> Success.of("attempts", attempts.stream().map(AttemptItem::of).toList()));
	}

}
