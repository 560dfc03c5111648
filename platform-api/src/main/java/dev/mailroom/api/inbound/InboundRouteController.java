package dev.mailroom.api.inbound;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.api.http.Ids;
import dev.mailroom.api.http.Success;
import dev.mailroom.inbound.InboundRoute;
import dev.mailroom.inbound.InboundRoutes;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** REST endpoints for the routes of received mail. */
@RestController
@RequestMapping("/inbound/routes")
class InboundRouteController {

	private final InboundRoutes routes;

	InboundRouteController(InboundRoutes routes) {
		this.routes = routes;
	}

	@GetMapping
	Mono<Success> list(Scope scope, @RequestParam("domain_id") UUID domainId) {
		return this.routes.list(scope, domainId).map(InboundRouteController::listed);
	}

	@PostMapping
	@ResponseStatus(HttpStatus.CREATED)
	Mono<Success> create(Scope scope, @RequestBody RouteBody body) {
		return Mono.defer(() -> this.routes.create(scope, body.form())).map(InboundRouteController::shown);
	}

	@PutMapping("/{id}")
	Mono<Success> update(Scope scope, @PathVariable UUID id, @RequestBody RouteBody body) {
		return Mono.defer(() -> this.routes.update(scope, id, body.form())).map(InboundRouteController::shown);
	}

	@PostMapping("/order")
	Mono<Success> order(Scope scope, @RequestBody Order body) {
		return Mono.defer(() -> this.routes.order(scope, id("domain_id", body.domainId()), ids(body.ids())))
			.map(InboundRouteController::listed);
	}

	@DeleteMapping("/{id}")
	Mono<Success> delete(Scope scope, @PathVariable UUID id) {
		return this.routes.delete(scope, id).thenReturn(Success.deleted(id));
	}

	@PostMapping("/test")
	Mono<Success> test(Scope scope, @RequestBody Test body) {
		return this.routes.test(scope, body.recipient()).map((match) -> {
			Map<String, Object> data = new LinkedHashMap<>();
			data.put("domain_id", match.domainId());
			data.put("action", match.action().contractName());
			data.put("spam", match.spam().contractName());
			@Nullable InboundRoute route = match.route();
			data.put("route_id", (route != null) ? route.id() : null);
			data.put("pattern", (route != null) ? route.rule().pattern() : null);
			return Success.data(data);
		});
	}

	private static Success shown(InboundRoute route) {
		return Success.of("route", RouteView.of(route));
	}

	private static Success listed(List<InboundRoute> routes) {
		return Success.of("routes", routes.stream().map(RouteView::of).toList());
	}

	private static @Nullable List<@Nullable UUID> ids(@Nullable List<@Nullable String> texts) {
		if (texts == null) {
			return null;
		}
		List<@Nullable UUID> ids = new ArrayList<>();
		texts.forEach((text) -> ids.add(id("ids", text)));
		return ids;
	}

	private static @Nullable UUID id(String field, @Nullable String text) {
		return (text == null) ? null
				: Ids.read(text).orElseThrow(() -> Refusal.INVALID_REQUEST.field(field, "must be a UUID"));
	}

	/** Body of POST /inbound/routes and PUT /inbound/routes/:id. */
	record RouteBody(@Nullable String domainId, @Nullable String pattern, @Nullable String spam,
			@Nullable String action, @Nullable List<@Nullable String> forwardTo, @Nullable String forwardMode,
			@Nullable Boolean active) {

		InboundRoute.Form form() {
			return new InboundRoute.Form(id("domain_id", this.domainId), this.pattern, this.spam, this.action,
					this.forwardTo, this.forwardMode, this.active);
		}

	}

	/** Body of POST /inbound/routes/order. */
	record Order(@Nullable String domainId, @Nullable List<@Nullable String> ids) {
	}

	/** Body of POST /inbound/routes/test. */
	record Test(@Nullable String recipient) {
	}

	/** A route in responses. */
	record RouteView(UUID id, UUID domainId, int position, String pattern, String spam, String action,
			List<String> forwardTo, String forwardMode, boolean active, Instant createdAt) {

		static RouteView of(InboundRoute route) {
			return new RouteView(route.id(), route.domainId(), route.position(), route.rule().pattern(),
					route.rule().spam().contractName(), route.rule().action().contractName(),
					route.rule().forwarding().to(), route.rule().forwarding().mode().contractName(), route.active(),
					route.createdAt());
		}

	}

}
