package dev.mailroom.api.domain;

import java.time.Instant;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.api.http.Success;
import dev.mailroom.trackingdomain.TrackingDomain;
import dev.mailroom.trackingdomain.TrackingDomains;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** REST endpoints for tracking domains, of which an account has few. */
@RestController
@RequestMapping("/tracking-domains")
class TrackingDomainController {

	private final TrackingDomains domains;

	TrackingDomainController(TrackingDomains domains) {
		this.domains = domains;
	}

	@PostMapping
	@ResponseStatus(HttpStatus.CREATED)
	Mono<Success> create(Scope scope, @RequestBody CreateTrackingDomain body) {
		return this.domains.create(scope, body.domainId(), body.name()).map(TrackingDomainController::body);
	}

	@GetMapping
	Mono<Success> list(Scope scope) {
		return this.domains.list(scope)
			.map((names) -> Success.of("trackingDomains", names.stream().map(TrackingDomainView::of).toList()));
	}

	@PostMapping("/{id}/verify")
	Mono<Success> verify(Scope scope, @PathVariable UUID id) {
		return this.domains.verify(scope, id).map(TrackingDomainController::body);
	}

	@DeleteMapping("/{id}")
	Mono<Success> delete(Scope scope, @PathVariable UUID id) {
		return this.domains.delete(scope, id).thenReturn(Success.deleted(id));
	}

	private static Success body(TrackingDomain domain) {
		return Success.of("trackingDomain", TrackingDomainView.of(domain));
	}

	/** Body of POST /tracking-domains. */
	record CreateTrackingDomain(@Nullable String name, @Nullable UUID domainId) {
	}

	/** JSON form of a tracking domain. */
	record TrackingDomainView(UUID id, String name, UUID domainId, String state, AliasView record,
			@Nullable String error, boolean used, Instant createdAt, @Nullable Instant checkedAt,
			@Nullable Instant failingSince) {

		static TrackingDomainView of(TrackingDomain domain) {
			return new TrackingDomainView(domain.id(), domain.name(), domain.domainId(), domain.state().contractName(),
					new AliasView("CNAME", domain.name(), domain.target()), domain.error(), domain.used(),
					domain.createdAt(), domain.checkedAt(), domain.failingSince());
		}

	}

	/** JSON form of the record to publish. */
	record AliasView(String type, String host, String value) {
	}

}
