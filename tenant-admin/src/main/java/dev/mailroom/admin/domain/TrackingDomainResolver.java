package dev.mailroom.admin.domain;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.admin.graphql.Payload;
import dev.mailroom.admin.graphql.Viewer;
import dev.mailroom.trackingdomain.HostedPolicies;
import dev.mailroom.trackingdomain.HostedPolicy;
import dev.mailroom.trackingdomain.TrackingDomain;
import dev.mailroom.trackingdomain.TrackingDomains;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** Tracking domains, and hosted policies about TLS, which have names as well. */
@Controller
class TrackingDomainResolver {

	private final TrackingDomains domains;

	private final HostedPolicies policies;

	TrackingDomainResolver(TrackingDomains domains, HostedPolicies policies) {
		this.domains = domains;
		this.policies = policies;
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

	@SchemaMapping
	Mono<HostedPolicy> hostedPolicy(Viewer viewer, @Argument UUID domainId) {
		return this.policies.find(viewer.scope(), domainId);
	}

	@MutationMapping
	Mono<Map<String, Object>> chooseHostedPolicy(Scope scope, @Argument ChooseHostedPolicyInput input) {
		return Payload.of("hostedPolicy", this.policies.choose(scope, input.domainId(), input.mode()));
	}

	@MutationMapping
	Mono<Map<String, Object>> removeHostedPolicy(Scope scope, @Argument UUID domainId) {
		return Payload.of("deletedId", this.policies.remove(scope, domainId).thenReturn(domainId));
	}

	/** The mode of a hosted policy. */
	record ChooseHostedPolicyInput(UUID domainId, String mode) {
	}

	/** A tracking domain to create. */
	record CreateTrackingDomainInput(UUID domainId, String name) {
	}

}
