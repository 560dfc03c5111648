package dev.mailroom.admin.domain;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.admin.graphql.Connection;
import dev.mailroom.admin.graphql.PageArguments;
import dev.mailroom.admin.graphql.Payload;
import dev.mailroom.admin.graphql.Viewer;
import dev.mailroom.domain.Domain;
import dev.mailroom.domain.Domains;
import dev.mailroom.domain.Verification;
import dev.mailroom.readiness.BimiChecks;
import dev.mailroom.source.SendingSources;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** Sending domains. */
@Controller
class DomainResolver {

	private final Domains domains;

	private final Verification verification;

	private final BimiChecks logos;

	private final SendingSources sources;

	DomainResolver(Domains domains, Verification verification, BimiChecks logos, SendingSources sources) {
		this.domains = domains;
		this.verification = verification;
		this.logos = logos;
		this.sources = sources;
	}

	@SchemaMapping
	Mono<Connection<Domain>> domains(Viewer viewer, PageArguments page) {
		return Connection.byPosition(page, (request) -> this.domains.read(viewer.scope(), request));
	}

	@SchemaMapping
	Mono<Domain> domain(Viewer viewer, @Argument UUID id) {
		return this.domains.find(viewer.scope(), id);
	}

	@SchemaMapping(typeName = "Domain")
	Mono<String> transactionalPool(Domain domain) {
		return pools(domain).mapNotNull(SendingSources.OfDomain::transactional);
	}

	@SchemaMapping(typeName = "Domain")
	Mono<String> campaignPool(Domain domain) {
		return pools(domain).mapNotNull(SendingSources.OfDomain::campaign);
	}

	private Mono<SendingSources.OfDomain> pools(Domain domain) {
		return this.sources.pools(Scope.of(domain.accountId()), List.of(domain.id()))
			.mapNotNull((pools) -> pools.get(domain.id()));
	}

	@MutationMapping
	Mono<Map<String, Object>> createDomain(Scope scope, @Argument CreateDomainInput input) {
		return Payload.of("domain", this.domains.create(scope, input.name()));
	}

	@MutationMapping
	Mono<Map<String, Object>> updateDomain(Scope scope, @Argument UpdateDomainInput input) {
		return Payload.of("domain", this.domains.update(scope, input.id(), input.change()));
	}

	@MutationMapping
	Mono<Map<String, Object>> verifyDomain(Scope scope, @Argument UUID id) {
		return Payload.of("domain",
				this.verification.verify(scope, id).delayUntil((_) -> this.logos.checkNow(scope, id)));
	}

	@MutationMapping
	Mono<Map<String, Object>> rotateDkim(Scope scope, @Argument UUID id) {
		return Payload.of("domain", this.domains.rotate(scope, id));
	}

	@MutationMapping
	Mono<Map<String, Object>> deleteDomain(Scope scope, @Argument UUID id) {
		return Payload.of("deletedId", this.domains.delete(scope, id).thenReturn(id));
	}

	/** A domain to create. */
	record CreateDomainInput(String name) {
	}

	/** Changes of a domain; null fields stay unchanged. */
	record UpdateDomainInput(UUID id, @Nullable Boolean openTracking, @Nullable Boolean clickTracking,
			Domain.@Nullable Transport transport, @Nullable Boolean requireTls) {

		Domain.Change change() {
			return new Domain.Change(this.openTracking, this.clickTracking, this.transport, this.requireTls);
		}

	}

}
