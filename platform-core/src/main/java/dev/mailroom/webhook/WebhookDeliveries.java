package dev.mailroom.webhook;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.database.Transactions;
import dev.mailroom.event.Event;
import dev.mailroom.event.Events;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Calls to the webhook endpoints of an account, pending and past. */
@Service
public class WebhookDeliveries {

	/** Limits the transaction of one recovery; the request is repeated for more. */
	private static final int MAX_RECOVERED = 5_000;

	/** Limits the rows that the results of an endpoint are counted from. */
	private static final int MAX_COUNTED = 10_000;

	private static final Duration RECENT = Duration.ofHours(24);

	private final WebhookEndpointStore endpoints;

	private final WebhookDeliveryStore store;

	private final Transactions transactions;

	private final JdbcTransactions threads;

	private final Events events;

	private final Clock clock;

	WebhookDeliveries(WebhookEndpointStore endpoints, WebhookDeliveryStore store, Transactions transactions,
			JdbcTransactions threads, Events events, Clock clock) {
		this.endpoints = endpoints;
		this.store = store;
		this.transactions = transactions;
		this.threads = threads;
		this.events = events;
		this.clock = clock;
	}

	/**
	 * Queues a call with a {@code webhook.test} event, regardless of the endpoint's kinds
	 * of events and even if it is inactive: it can be tested before it is activated.
	 * @throws dev.mailroom.Refused {@code Webhook endpoint not found}
	 */
	public Mono<WebhookDelivery> test(Scope scope, UUID endpointId) {
		Mono<WebhookDelivery> delivery = endpoint(scope, endpointId).flatMap((endpoint) -> {
			Event event = endpoint.testEvent();
			return this.events.recordOne(event).flatMap((id) -> this.store.insert(endpoint, id, event.kind()));
		});
		return this.transactions.in(scope, delivery);
	}

	/**
	 * Lists the calls to an endpoint, newest first.
	 * @throws dev.mailroom.Refused {@code Webhook endpoint not found}
	 */
	public Mono<Page<WebhookDelivery>> list(Scope scope, UUID endpointId, Page.Request page) {
		Mono<Page<WebhookDelivery>> deliveries = endpoint(scope, endpointId)
			.thenMany(this.store.list(scope, endpointId, page))
			.collectList()
			.flatMap((rows) -> this.store.count(scope, endpointId)
				.map((total) -> Page.cut(rows, page, total, WebhookDelivery::cursor)));
		return this.transactions.list(scope, deliveries);
	}

	/**
	 * Finds a call.
	 * @throws dev.mailroom.Refused {@code Webhook delivery not found}
	 */
	public Mono<WebhookDelivery> find(Scope scope, UUID id) {
		return this.transactions.in(scope, this.store.find(scope, id))
			.switchIfEmpty(Mono.error(() -> WebhookRefusals.noDelivery(id)));
	}

	/**
	 * Results of the newest ten thousand calls of each endpoint within the last 24 hours,
	 * by endpoint. Endpoints without calls are absent.
	 */
	public Mono<Map<UUID, WebhookDelivery.Counts>> recent(Scope scope, Collection<UUID> endpoints) {
		return Mono.defer(() -> this.transactions.list(scope,
				this.store.counts(scope, endpoints, this.clock.instant().minus(RECENT), MAX_COUNTED)
					.collectMap(WebhookDelivery.Counts::endpointId)));
	}

	/**
	 * Queues a call again, with all retries.
	 * @throws dev.mailroom.Refused {@code Webhook delivery not found}
	 */
	public Mono<WebhookDelivery> redeliver(Scope scope, UUID id) {
		return this.transactions.in(scope, this.store.requeue(scope, id))
			.switchIfEmpty(Mono.error(() -> WebhookRefusals.noDelivery(id)));
	}

	/**
	 * Queues the failed calls of a period again, including those that wait for another
	 * attempt, and the events of the period for which there is no call, such as those of
	 * a time in which the endpoint was switched off. Events from before the endpoint's
	 * creation are left out.
	 * @param since beginning of the period
	 * @param until end of the period; null for now
	 * @throws dev.mailroom.Refused {@code Webhook endpoint not found} or
	 * {@code Invalid request data}
	 */
	public Mono<Recovery> recover(Scope scope, UUID endpointId, @Nullable String since, @Nullable String until) {
		return Mono.defer(() -> {
			Instant now = this.clock.instant();
			Mono<Recovery> recovery = endpoint(scope, endpointId).flatMap((endpoint) -> {
				Instant from = time("since", since, null);
				Instant end = time("until", until, now);
				Instant to = end.isAfter(now) ? now : end;
				if (!from.isBefore(to)) {
					throw WebhookRefusals.invalid("since", "must be before until and in the past");
				}
				Instant first = from.isBefore(endpoint.createdAt()) ? endpoint.createdAt() : from;
				return this.store.recover(endpoint, first, to, MAX_RECOVERED)
					.flatMap((failed) -> this.store.addMissed(endpoint, first, to, MAX_RECOVERED)
						.map((missed) -> new Recovery(failed + missed,
								failed >= MAX_RECOVERED || missed >= MAX_RECOVERED)));
			});
			return this.transactions.in(scope, recovery);
		});
	}

	/** The attempts of calls of the account by call, oldest first. */
	public Mono<Map<UUID, Collection<WebhookAttempt>>> attempts(Scope scope, Collection<UUID> deliveries) {
		return deliveries.isEmpty() ? Mono.just(Map.of()) : this.transactions.list(scope,
				this.store.attempts(scope, deliveries).collectMultimap(WebhookAttempt::deliveryId));
	}

	/** The calls that report some events of the account, newest first. */
	public Mono<List<WebhookDelivery>> ofEvents(Scope scope, Collection<UUID> events, int limit) {
		return events.isEmpty() ? Mono.just(List.of())
				: this.transactions.list(scope, this.store.ofEvents(scope, events, limit).collectList());
	}

	/** State of all accounts' webhooks, for monitoring. */
	public Backlog backlog() {
		return this.threads.acrossAccounts(this.store::backlog);
	}

	private static Instant time(String field, @Nullable String text, @Nullable Instant missing) {
		if (text == null && missing != null) {
			return missing;
		}
		try {
			return OffsetDateTime.parse((text != null) ? text : "").toInstant();
		}
		catch (DateTimeParseException _) {
			throw WebhookRefusals.invalid(field, "must be a time with an offset, such as 2026-11-21T09:30:00Z");
		}
	}

	private Mono<WebhookEndpoint> endpoint(Scope scope, UUID id) {
		return this.endpoints.find(scope, id).switchIfEmpty(Mono.error(() -> WebhookRefusals.missing(id)));
	}

	/**
	 * State of all accounts' webhooks.
	 *
	 * @param oldestSeconds time for which the oldest pending call has been due
	 * @param active number of endpoints whose calls succeed
	 * @param failing number of active endpoints whose last call failed
	 * @param disabled number of endpoints that the platform switched off
	 * @param inactive number of endpoints that their owners switched off
	 */
	public record Backlog(double oldestSeconds, long active, long failing, long disabled, long inactive) {
	}

	/**
	 * Result of a recovery.
	 *
	 * @param count number of calls that were queued
	 * @param more whether further calls may be recovered by the same request
	 */
	public record Recovery(long count, boolean more) {
	}

}
