package dev.mailroom.api.tracking;

import java.time.Clock;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.api.http.AtRoot;
import dev.mailroom.inbound.InboundEmails;
import dev.mailroom.tracking.Tokens;
import reactor.core.publisher.Mono;

import org.springframework.http.CacheControl;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * Sources of received mails for the links of their events. A link ends an hour after the
 * mail arrived. Browsers download the source and never show it.
 */
@AtRoot
@RestController
class SourceController {

	private final Tokens tokens;

	private final InboundEmails emails;

	private final Clock clock;

	SourceController(Tokens tokens, InboundEmails emails, Clock clock) {
		this.tokens = tokens;
		this.emails = emails;
		this.clock = clock;
	}

	@GetMapping("/received/{token}")
	Mono<ResponseEntity<byte[]>> source(@PathVariable String token) {
		return Mono.justOrEmpty(this.tokens.received(token))
			.filter((link) -> !link.isExpired(this.clock.instant()))
			.flatMap((link) -> this.emails.raw(Scope.of(link.accountId()), link.email())
				.onErrorMap(SourceController::isMissing, (_) -> new LinkNotFound())
				.map((source) -> ResponseEntity.ok()
					.contentType(MediaType.parseMediaType("message/rfc822"))
					.cacheControl(CacheControl.noStore())
					.header(HttpHeaders.CONTENT_DISPOSITION,
							ContentDisposition.attachment().filename(link.email() + ".eml").build().toString())
					.body(source)))
			.switchIfEmpty(Mono.error(LinkNotFound::new));
	}

	private static boolean isMissing(Throwable error) {
		return error instanceof Refused refused && refused.refusal().kind() == Refusal.Kind.NOT_FOUND;
	}

}
