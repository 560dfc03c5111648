package dev.mailroom.admin.webhook;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

import dev.mailroom.Scope;
import dev.mailroom.mail.log.Email;
import dev.mailroom.webhook.Feed;
import dev.mailroom.webhook.WebhookDeliveries;
import dev.mailroom.webhook.WebhookDelivery;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.BatchMapping;
import org.springframework.stereotype.Controller;

/** Webhook calls that report the events of emails. */
@Controller
class EmailCallResolver {

	/** Largest number of calls for each email. */
	private static final int MAX_CALLS = 100;

	private final Feed feed;

	private final WebhookDeliveries calls;

	EmailCallResolver(Feed feed, WebhookDeliveries calls) {
		this.feed = feed;
		this.calls = calls;
	}

	/** The calls of all emails of a list, with two queries for each account. */
	@BatchMapping(typeName = "Email")
	Mono<Map<Email, List<WebhookDelivery>>> webhookCalls(List<Email> emails) {
		Map<UUID, List<Email>> accounts = emails.stream().distinct().collect(Collectors.groupingBy(Email::accountId));
		return Flux.fromIterable(accounts.entrySet())
			.concatMap((account) -> ofAccount(Scope.of(account.getKey()), account.getValue()))
			.collectList()
			.map((all) -> {
				Map<Email, List<WebhookDelivery>> calls = new HashMap<>();
				all.forEach(calls::putAll);
				return calls;
			});
	}

	private Mono<Map<Email, List<WebhookDelivery>>> ofAccount(Scope scope, List<Email> emails) {
		return this.feed.ofEmails(scope, emails.stream().map(Email::id).toList())
			.flatMap((events) -> this.calls
				.ofEvents(scope, events.values().stream().flatMap(Collection::stream).map(Feed.EmailEvent::id).toList(),
						MAX_CALLS * emails.size())
				.map((found) -> byEmail(emails, events, found)));
	}

	private static Map<Email, List<WebhookDelivery>> byEmail(List<Email> emails,
			Map<UUID, Collection<Feed.EmailEvent>> events, List<WebhookDelivery> calls) {
		Map<UUID, UUID> emailOfEvent = new HashMap<>();
		events.forEach((email, all) -> all.forEach((event) -> emailOfEvent.put(event.id(), email)));
		Map<UUID, List<WebhookDelivery>> byEmail = calls.stream()
			.filter((call) -> emailOfEvent.containsKey(call.eventId()))
			.collect(Collectors.groupingBy((call) -> emailOfEvent.getOrDefault(call.eventId(), call.eventId())));
		Map<Email, List<WebhookDelivery>> result = new HashMap<>();
		emails.forEach((email) -> result.put(email, byEmail.getOrDefault(email.id(), List.of())));
		return result;
	}

}
