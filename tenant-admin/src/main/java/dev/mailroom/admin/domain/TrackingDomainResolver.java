package dev.mailroom.admin.domain;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.admin.graphql.Payload;
import dev.mailroom.admin.graphql.Viewer;
import dev.mailroom.trackingdomain.TrackingDomain;
import dev.mailroom.trackingdomain.TrackingDomains;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** Tracking domains. */
@Controller
class TrackingDomainResolver {

	private final TrackingDomains domains;

	TrackingDomainResolver(TrackingDomains domains) {
		this.domains = domains;
	}

	@SchemaMapping
	Mono<List<TrackingDomain>> trackingDomains(Viewer viewer) {
		return this.domains.list(viewer.scope());
	}

	@SchemaMapping
	boolean offersTrackingDomains(Viewer viewer) {
		return this.domains.isOffered();
	}

	@MutationMapping
	Mono<Map<String, Object>> createTrackingDomain(Scope scope, @Argument CreateTrackingDomainInput input) {
		return Payload.of("trackingDomain", this.domains.create(scope, input.domainId(), input.name()));
	}

	@MutationMapping
	Mono<Map<String, Object>> verifyTrackingDomain(Scope scope, @Argument UUID id) {
		return Payload.of("trackingDomain", this.domains.verify(scope, id));
	}

	@MutationMapping
	Mono<Map<String, Object>> deleteTrackingDomain(Scope scope, @Argument UUID id) {
		return Payload.of("deletedId", this.domains.delete(scope, id).thenReturn(id));
	}

	/** A tracking domain to create. */
	record CreateTrackingDomainInput(UUID domainId, String name) {
	}

}
