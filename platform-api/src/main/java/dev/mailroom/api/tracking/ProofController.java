package dev.mailroom.api.tracking;

import dev.mailroom.api.http.AtRoot;
import dev.mailroom.trackingdomain.TrackingNames;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/**
 * Proves to the checks of tracking domains that a name leads to this platform, and serves
 * policies about TLS below names that have one.
 */
@AtRoot
@RestController
class ProofController {

	private static final String NONCE = "[0-9a-f]{32}";

	private final TrackingNames names;

	ProofController(TrackingNames names) {
		this.names = names;
	}

	@GetMapping(TrackingNames.PROOF_PATH + "{token}")
	Mono<ResponseEntity<String>> proof(@PathVariable("token") String nonce,
			@RequestHeader(name = HttpHeaders.HOST, required = false) @Nullable String host) {
		return this.names.owners(host)
			.filter((owners) -> !owners.isEmpty() && nonce.matches(NONCE))
			.switchIfEmpty(Mono.error(LinkNotFound::new))
			.map((_) -> ResponseEntity.ok().contentType(MediaType.TEXT_PLAIN).body(this.names.proof(host, nonce)));
	}

	@GetMapping(TrackingNames.POLICY_PATH)
	Mono<ResponseEntity<String>> policy(
			@RequestHeader(name = HttpHeaders.HOST, required = false) @Nullable String host) {
		return this.names.policy(host)
			.switchIfEmpty(Mono.error(LinkNotFound::new))
			.map((text) -> ResponseEntity.ok().contentType(MediaType.TEXT_PLAIN).body(text));
	}

}
