package dev.mailroom.admin.graphql;

import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.account.Authenticator;
import dev.mailroom.account.Caller;
import dev.mailroom.operator.Operators;
import dev.mailroom.secret.Stamp;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.graphql.server.WebGraphQlRequest;
import org.springframework.graphql.server.WebGraphQlResponse;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;

/**
 * Checks the watches of requests, and ends streams whose access token or watch has become
 * invalid: the session was ended, one of them has expired, or the role of the operator
 * was revoked. Both are checked every few seconds as for a new request.
 */
@Component
class SessionWatch {

	private static final Refusal FORBIDDEN = Refusal.forbidden("Forbidden");

	private static final Duration INTERVAL = Duration.ofSeconds(3);

	private static final String BEARER = "Bearer ";

	private final Authenticator authenticator;

	private final Operators operators;

	private final Stamp stamp;

	private final Clock clock;

	SessionWatch(Authenticator authenticator, Operators operators, Stamp stamp, Clock clock) {
		this.authenticator = authenticator;
		this.operators = operators;
		this.stamp = stamp;
		this.clock = clock;
	}

	/**
	 * Returns the watch of a request; empty without one. The role of the operator is read
	 * from the database.
	 * @throws dev.mailroom.Refused {@code Forbidden} if it is not the caller's, has
	 * expired, or the caller is no operator now
	 */
	Mono<Optional<Watch>> watch(WebGraphQlRequest request, @Nullable Caller caller) {
		String token = request.getHeaders().getFirst(Watch.HEADER);
		if (token == null || caller == null) {
			return Mono.just(Optional.empty());
		}
		Mono<Watch> watch = Mono.justOrEmpty(Watch.parse(token, this.stamp, this.clock.instant()))
			.filter((it) -> caller.role() == Caller.Role.OPERATOR
					&& it.operator().equals(caller.scope().person().account()))
			.switchIfEmpty(
					Mono.error(() -> FORBIDDEN.because("This watch has ended, or is not yours. Begin another one.")));
		return watch.flatMap((it) -> this.operators.authorize(caller.scope()).map((_) -> Optional.of(it)));
	}

	/**
	 * The response, whose stream ends with the access token or the watch of the request.
	 */
	WebGraphQlResponse watched(WebGraphQlRequest request, WebGraphQlResponse response) {
		String authorization = request.getHeaders().getFirst(HttpHeaders.AUTHORIZATION);
		return (response.getExecutionResult().getData() instanceof Publisher<?> stream && authorization != null)
				? response.transform((builder) -> builder
					.data(Flux.from(stream).takeUntilOther(ended(request, authorization.substring(BEARER.length())))))
				: response;
	}

	/** Completes when the token or the watch is invalid. */
	private Mono<Void> ended(WebGraphQlRequest request, String token) {
		return Flux.interval(INTERVAL)
			.onBackpressureDrop()
			.concatMap((_) -> isValid(request, token), 1)
			.takeUntil((valid) -> !valid)
			.then();
	}

	/**
	 * While it is unknown, because of an error other than a refusal, both count as valid.
	 */
	private Mono<Boolean> isValid(WebGraphQlRequest request, String token) {
		return this.authenticator.authenticate(token)
			.flatMap((caller) -> watch(request, caller))
			.hasElement()
			.onErrorResume((ex) -> Mono
				.just(!(ex instanceof Refused refused) || refused.refusal().kind() != Refusal.Kind.FORBIDDEN));
	}

}
