package dev.mailroom.api.domain;

import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.api.http.Success;
import dev.mailroom.trackingdomain.HostedPolicies;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** REST endpoints for the MTA-STS policies of domains that this platform serves. */
@RestController
@RequestMapping("/domains/{id}/mta-sts")
class HostedPolicyController {

	private final HostedPolicies policies;

	HostedPolicyController(HostedPolicies policies) {
		this.policies = policies;
	}

	@GetMapping
	Mono<Success> find(Scope scope, @PathVariable UUID id) {
		return this.policies.find(scope, id).map((policy) -> Success.of("mta_sts", policy));
	}

	@PutMapping
	Mono<Success> choose(Scope scope, @PathVariable UUID id, @RequestBody ChoosePolicy body) {
		return this.policies.choose(scope, id, body.mode()).map((policy) -> Success.of("mta_sts", policy));
	}

	@DeleteMapping
	Mono<Success> remove(Scope scope, @PathVariable UUID id) {
		return this.policies.remove(scope, id).thenReturn(Success.deleted(id));
	}

	/** Body of PUT /domains/:id/mta-sts. */
	record ChoosePolicy(@Nullable String mode) {
	}

}
