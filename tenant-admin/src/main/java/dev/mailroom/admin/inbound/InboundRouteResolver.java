package dev.mailroom.admin.inbound;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.admin.graphql.Payload;
import dev.mailroom.admin.graphql.Viewer;
import dev.mailroom.inbound.InboundRoute;
import dev.mailroom.inbound.InboundRoutes;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** Routes of received mail. */
@Controller
class InboundRouteResolver {

	private final InboundRoutes routes;

	InboundRouteResolver(InboundRoutes routes) {
		this.routes = routes;
	}

	@SchemaMapping
	Mono<List<InboundRoute>> inboundRoutes(Viewer viewer, @Argument UUID domainId) {
		return this.routes.list(viewer.scope(), domainId);
	}

	@SchemaMapping
	Mono<InboundRoute.Match> inboundRouteMatch(Viewer viewer, @Argument String recipient) {
		return this.routes.test(viewer.scope(), recipient);
	}

	@SchemaMapping(typeName = "InboundRoute")
	String pattern(InboundRoute route) {
		return route.rule().pattern();
	}

	@SchemaMapping(typeName = "InboundRoute")
	InboundRoute.Spam spam(InboundRoute route) {
		return route.rule().spam();
	}

	@SchemaMapping(typeName = "InboundRoute")
	InboundRoute.Action action(InboundRoute route) {
		return route.rule().action();
	}

	@SchemaMapping(typeName = "InboundRoute")
	List<String> forwardTo(InboundRoute route) {
		return route.rule().forwarding().to();
	}

	@SchemaMapping(typeName = "InboundRoute")
	InboundRoute.ForwardMode forwardMode(InboundRoute route) {
		return route.rule().forwarding().mode();
	}

	@MutationMapping
	Mono<Map<String, Object>> createInboundRoute(Scope scope, @Argument CreateInboundRouteInput input) {
		return Payload.of("inboundRoute",
				this.routes.create(scope, new InboundRoute.Form(input.domainId(), input.pattern(), name(input.spam()),
						name(input.action()), targets(input.forwardTo()), name(input.forwardMode()), input.active())));
	}

	@MutationMapping
	Mono<Map<String, Object>> updateInboundRoute(Scope scope, @Argument UpdateInboundRouteInput input) {
		return Payload.of("inboundRoute",
				this.routes.update(scope, input.id(), new InboundRoute.Form(null, input.pattern(), name(input.spam()),
						name(input.action()), targets(input.forwardTo()), name(input.forwardMode()), input.active())));
	}

	@MutationMapping
	Mono<Map<String, Object>> orderInboundRoutes(Scope scope, @Argument UUID domainId,
			@Argument List<@Nullable UUID> ids) {
		return Payload.of("inboundRoutes", this.routes.order(scope, domainId, ids));
	}

	@MutationMapping
	Mono<Map<String, Object>> deleteInboundRoute(Scope scope, @Argument UUID id) {
		return Payload.of("deletedId", this.routes.delete(scope, id).thenReturn(id));
	}

	private static @Nullable String name(@Nullable Enum<?> value) {
		return (value != null) ? value.name().toLowerCase(Locale.ROOT) : null;
	}

	private static @Nullable List<@Nullable String> targets(@Nullable List<String> targets) {
		return (targets != null) ? new ArrayList<>(targets) : null;
	}

	/** A route to create. */
	record CreateInboundRouteInput(UUID domainId, String pattern, InboundRoute.@Nullable Spam spam,
			InboundRoute.@Nullable Action action, @Nullable List<String> forwardTo,
			InboundRoute.@Nullable ForwardMode forwardMode, @Nullable Boolean active) {
	}

	/** Changes of a route; null fields stay unchanged. */
	record UpdateInboundRouteInput(UUID id, @Nullable String pattern, InboundRoute.@Nullable Spam spam,
			InboundRoute.@Nullable Action action, @Nullable List<String> forwardTo,
			InboundRoute.@Nullable ForwardMode forwardMode, @Nullable Boolean active) {
	}

}
