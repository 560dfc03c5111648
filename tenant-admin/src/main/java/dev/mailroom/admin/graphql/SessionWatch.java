package dev.mailroom.admin.graphql;

import java.time.Duration;

import dev.mailroom.authentication.Authenticator;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.graphql.server.WebGraphQlRequest;
import org.springframework.graphql.server.WebGraphQlResponse;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;

/**
 * Ends streams whose access token has become invalid: its session was ended, or it has
 * expired. The token is checked every few seconds as for a new request.
 */
@Component
class SessionWatch {

	private static final Duration INTERVAL = Duration.ofSeconds(3);

	private static final String BEARER = "Bearer ";

	private final Authenticator authenticator;

	SessionWatch(Authenticator authenticator) {
		this.authenticator = authenticator;
	}

	/** The response, whose stream ends with the access token of the request. */
	WebGraphQlResponse watched(WebGraphQlRequest request, WebGraphQlResponse response) {
		String authorization = request.getHeaders().getFirst(HttpHeaders.AUTHORIZATION);
		return (response.getExecutionResult().getData() instanceof Publisher<?> stream && authorization != null)
				? response.transform((builder) -> builder
					.data(Flux.from(stream).takeUntilOther(ended(authorization.substring(BEARER.length())))))
				: response;
	}

	/** Completes when the token is invalid. While that is unknown, it counts as valid. */
	private Mono<Void> ended(String token) {
		return Flux.interval(INTERVAL)
			.onBackpressureDrop()
			.concatMap((_) -> this.authenticator.authenticate(token).hasElement().onErrorReturn(true), 1)
			.takeUntil((valid) -> !valid)
			.then();
	}

}
