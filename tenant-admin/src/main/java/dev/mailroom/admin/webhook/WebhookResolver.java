package dev.mailroom.admin.webhook;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.admin.graphql.Connection;
import dev.mailroom.admin.graphql.PageArguments;
import dev.mailroom.admin.graphql.Payload;
import dev.mailroom.admin.graphql.Viewer;
import dev.mailroom.webhook.EventTypes;
import dev.mailroom.webhook.WebhookAttempt;
import dev.mailroom.webhook.WebhookDeliveries;
import dev.mailroom.webhook.WebhookDelivery;
import dev.mailroom.webhook.WebhookEndpoint;
import dev.mailroom.webhook.WebhookEndpoints;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.BatchMapping;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** Webhook endpoints. */
@Controller
class WebhookResolver {

	private final WebhookEndpoints endpoints;

	private final WebhookDeliveries calls;

	private final EventTypes types;

	WebhookResolver(WebhookEndpoints endpoints, WebhookDeliveries calls, EventTypes types) {
		this.endpoints = endpoints;
		this.calls = calls;
		this.types = types;
	}

	@SchemaMapping
	Mono<Connection<WebhookEndpoint>> webhookEndpoints(Viewer viewer, PageArguments page) {
		return Connection.byPosition(page, (request) -> this.endpoints.read(viewer.scope(), request));
	}

	@SchemaMapping
	Mono<WebhookEndpoint> webhookEndpoint(Viewer viewer, @Argument UUID id) {
		return this.endpoints.find(viewer.scope(), id);
	}

	@SchemaMapping
	Mono<Connection<WebhookDelivery>> webhookCalls(Viewer viewer, PageArguments page, @Argument UUID endpointId) {
		return Mono.defer(() -> this.calls.list(viewer.scope(), endpointId, page.byCursor()))
			.map((listed) -> Connection.of(listed, (call) -> new Page.Cursor(call.createdAt(), call.id())));
	}

	@SchemaMapping
	Mono<WebhookDelivery> webhookCall(Viewer viewer, @Argument UUID id) {
		return this.calls.find(viewer.scope(), id);
	}

	@SchemaMapping
	List<WebhookEventType> webhookEventTypes(Viewer viewer) {
		return this.types.all().stream().map(WebhookEventType::of).toList();
	}

	@MutationMapping
	Mono<Map<String, Object>> createWebhookEndpoint(Scope scope, @Argument CreateWebhookEndpointInput input) {
		return issued(this.endpoints.create(scope, input.form()));
	}

	@MutationMapping
	Mono<Map<String, Object>> updateWebhookEndpoint(Scope scope, @Argument UpdateWebhookEndpointInput input) {
		return Payload.of("webhookEndpoint", this.endpoints.update(scope, input.id(), input.change()));
	}

	@MutationMapping
	Mono<Map<String, Object>> rotateWebhookSecret(Scope scope, @Argument UUID id) {
		return issued(this.endpoints.rotate(scope, id));
	}

	@MutationMapping
	Mono<Map<String, Object>> deleteWebhookEndpoint(Scope scope, @Argument UUID id) {
		return Payload.of("deletedId", this.endpoints.delete(scope, id).thenReturn(id));
	}

	@MutationMapping
	Mono<Map<String, Object>> testWebhookEndpoint(Scope scope, @Argument UUID id) {
		return Payload.of("call", this.calls.test(scope, id));
	}

	@MutationMapping
	Mono<Map<String, Object>> redeliverWebhookCall(Scope scope, @Argument UUID id) {
		return Payload.of("call", this.calls.redeliver(scope, id));
	}

	@MutationMapping
	Mono<Map<String, Object>> recoverWebhookCalls(Scope scope, @Argument RecoverWebhookCallsInput input) {
		return Payload.fields(this.calls
			.recover(scope, input.endpointId(), input.since().toString(),
					(input.until() != null) ? input.until().toString() : null)
			.map((recovery) -> Map.of("count", recovery.count(), "more", recovery.more())));
	}

	/** Attempts of all calls of a page, with one query for each account. */
	@BatchMapping(typeName = "WebhookCall")
	Mono<Map<WebhookDelivery, Collection<WebhookAttempt>>> attempts(List<WebhookDelivery> calls) {
		Map<UUID, List<WebhookDelivery>> accounts = calls.stream()
			.collect(Collectors.groupingBy(WebhookDelivery::accountId));
		return Flux.fromIterable(accounts.entrySet())
			.concatMap((account) -> this.calls.attempts(Scope.of(account.getKey()),
					account.getValue().stream().map(WebhookDelivery::id).toList()))
			.flatMapIterable(Map::entrySet)
			.collectMap(Map.Entry::getKey, Map.Entry::getValue)
			.map((attempts) -> {
				Map<WebhookDelivery, Collection<WebhookAttempt>> byCall = new HashMap<>();
				calls.forEach((call) -> byCall.put(call, attempts.getOrDefault(call.id(), List.of())));
				return byCall;
			});
	}

	/** Results of all endpoints of a page, with one query for each account. */
	@BatchMapping(typeName = "WebhookEndpoint")
	Mono<Map<WebhookEndpoint, WebhookDelivery.Counts>> recent(List<WebhookEndpoint> endpoints) {
		Map<UUID, List<WebhookEndpoint>> accounts = endpoints.stream()
			.collect(Collectors.groupingBy(WebhookEndpoint::accountId));
		return Flux.fromIterable(accounts.entrySet())
			.concatMap((account) -> this.calls.recent(Scope.of(account.getKey()),
					account.getValue().stream().map(WebhookEndpoint::id).toList()))
			.flatMapIterable(Map::entrySet)
			.collectMap(Map.Entry::getKey, Map.Entry::getValue)
			.map((counts) -> endpoints.stream()
				.collect(
						Collectors
							.toMap(Function.identity(),
									(endpoint) -> counts.getOrDefault(endpoint.id(),
											new WebhookDelivery.Counts(endpoint.id(), 0, 0)),
									(counted, _) -> counted)));
	}

	private static Mono<Map<String, Object>> issued(Mono<WebhookEndpoint.Issued> issued) {
		return Payload
			.fields(issued.map((result) -> Map.of("webhookEndpoint", result.endpoint(), "secret", result.secret())));
	}

	private static @Nullable String headers(@Nullable Boolean svix) {
		return (svix != null) ? (svix ? "svix" : "standard") : null;
	}

	/** A kind of event that endpoints can subscribe to. */
	record WebhookEventType(String kind, String description, Map<String, Object> example) {

		static WebhookEventType of(EventTypes.EventType type) {
			return new WebhookEventType(type.kind().contractName(), type.description(), type.example());
		}

	}

	/** A webhook endpoint to create. */
	record CreateWebhookEndpointInput(String url, List<@Nullable String> events, @Nullable String description,
			@Nullable Boolean svixHeaders) {

		WebhookEndpoint.Form form() {
			return new WebhookEndpoint.Form(this.url, this.events, this.description, headers(this.svixHeaders));
		}

	}

	/** A period whose calls are recovered. */
	record RecoverWebhookCallsInput(UUID endpointId, Instant since, @Nullable Instant until) {
	}

	/** Changes of a webhook endpoint; null fields stay unchanged. */
	record UpdateWebhookEndpointInput(UUID id, @Nullable Boolean active, @Nullable String url,
			@Nullable List<@Nullable String> events, @Nullable Boolean svixHeaders) {

		WebhookEndpoint.Change change() {
			return new WebhookEndpoint.Change(this.active, this.url, this.events, headers(this.svixHeaders));
		}

	}

}
