package dev.mailroom.api.tracking;

import dev.mailroom.api.http.AtRoot;
import dev.mailroom.trackingdomain.Certificates;
import reactor.core.publisher.Mono;

import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Answers an authority that proves orders of certificates over HTTP (RFC 8555 8.3). */
@AtRoot
@RestController
class ChallengeController {

	static final String PATH = "/.well-known/acme-challenge/";

	private static final String TOKEN = "[A-Za-z0-9_-]{1,128}";

	private final AcmeSettings settings;

	private final Certificates certificates;

	ChallengeController(AcmeSettings settings, Certificates certificates) {
		this.settings = settings;
		this.certificates = certificates;
	}

	@GetMapping(PATH + "{token}")
	Mono<ResponseEntity<String>> answer(@PathVariable String token) {
		return ((this.settings.isConfigured() && token.matches(TOKEN)) ? this.certificates.answer(token)
				: Mono.<String>empty())
			.switchIfEmpty(Mono.error(LinkNotFound::new))
			.map((answer) -> ResponseEntity.ok().contentType(MediaType.TEXT_PLAIN).body(answer));
	}

}
