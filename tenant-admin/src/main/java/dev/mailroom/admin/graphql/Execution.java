package dev.mailroom.admin.graphql;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.admin.security.ErrorCounts;
import dev.mailroom.http.CallerToken;
import dev.mailroom.http.RequestIds;
import graphql.ExecutionResult;
import graphql.GraphQLError;
import graphql.GraphqlErrorBuilder;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

import org.springframework.graphql.execution.ErrorType;
import org.springframework.graphql.server.WebGraphQlInterceptor;
import org.springframework.graphql.server.WebGraphQlRequest;
import org.springframework.graphql.server.WebGraphQlResponse;
import org.springframework.graphql.support.DefaultExecutionGraphQlResponse;
import org.springframework.http.HttpHeaders;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.stereotype.Component;

/**
 * Execution of one request: puts the caller, the watch and the refresh cookie into its
 * context, ends it at the deadline, and completes its errors.
 */
@Component
class Execution implements WebGraphQlInterceptor {

	private static final Refusal UNAVAILABLE = Refusal.unavailable("Service unavailable");

	private final GraphQlLimits limits;

	private final SessionWatch sessions;

	private final ErrorCounts counts;

	Execution(GraphQlLimits limits, SessionWatch sessions, ErrorCounts counts) {
		this.limits = limits;
		this.sessions = sessions;
		this.counts = counts;
	}

	@Override
	public Mono<WebGraphQlResponse> intercept(WebGraphQlRequest request, Chain chain) {
		return ReactiveSecurityContextHolder.getContext()
			.mapNotNull((context) -> context.getAuthentication())
			.ofType(CallerToken.class)
			.map(Optional::of)
			.defaultIfEmpty(Optional.empty())
			.flatMap((token) -> authorized(request, chain, token.orElse(null)))
			.flatMap(this::completed)
			.map((response) -> RequestGate.isStream(request.getHeaders()) ? streamed(response) : response)
			.contextWrite(this.counts::addTo);
	}

	/**
	 * Makes the errors of a subscription that did not begin the only event of its stream,
	 * in place of the library's error about requests that are not subscriptions.
	 */
	private static WebGraphQlResponse streamed(WebGraphQlResponse response) {
		ExecutionResult result = response.getExecutionResult();
		return (result.getErrors().isEmpty() || result.getData() instanceof Publisher<?>) ? response
				: response.transform((builder) -> builder.data(Mono.just(result)));
	}

	/** Executes the request unless its watch is refused. */
	private Mono<WebGraphQlResponse> authorized(WebGraphQlRequest request, Chain chain, @Nullable CallerToken token) {
		return this.sessions.watch(request, (token != null) ? token.caller() : null)
			.map((watch) -> execute(request, chain, token, watch))
			.onErrorResume(Refused.class, (ex) -> Mono.just(Mono.fromSupplier(() -> refused(request, ex))))
			.flatMap(Function.identity());
	}

	private Mono<WebGraphQlResponse> execute(WebGraphQlRequest request, Chain chain, @Nullable CallerToken token,
			Optional<Watch> watch) {
		Map<Object, Object> context = new HashMap<>();
		if (token != null) {
			context.put(Callers.KEY, token.caller());
		}
		watch.ifPresent((it) -> context.put(Watch.KEY, it));
		context.put(RefreshCookie.KEY, new RefreshCookie(request.getCookies(), isSecure(request)));
		request.configureExecutionInput((_, builder) -> builder.graphQLContext(context).build());
		return chain.next(request)
			.flatMap((response) -> (token != null) ? Mono.just(response) : admitted(response))
			.map((response) -> this.sessions.watched(request, response))
			.timeout(this.limits.deadline())
			.onErrorResume(TimeoutException.class, (_) -> Mono.fromSupplier(() -> timeout(request)));
	}

	/**
	 * Turns the refusal of a whole request without a token into an error of HTTP. Errors
	 * of fields, such as a wrong password, have a path.
	 */
	private static Mono<WebGraphQlResponse> admitted(WebGraphQlResponse response) {
		boolean refused = response.getExecutionResult()
			.getErrors()
			.stream()
			.anyMatch((error) -> error.getPath() == null && error.getErrorType() == ErrorType.UNAUTHORIZED);
		return refused ? Mono.error(Callers.unauthorized()) : Mono.just(response);
	}

	/** A proxy in front of the app may end TLS, hence the configured URL. */
	private boolean isSecure(WebGraphQlRequest request) {
		return this.limits.appUrl().startsWith("https:") || "https".equals(request.getUri().getScheme());
	}

	private WebGraphQlResponse timeout(WebGraphQlRequest request) {
		return refused(request, UNAVAILABLE
			.because("The request took longer than " + this.limits.deadline().toMillis() + " ms and was ended"));
	}

	private static WebGraphQlResponse refused(WebGraphQlRequest request, Refused refused) {
		return new WebGraphQlResponse(new DefaultExecutionGraphQlResponse(request.toExecutionInput(),
				ExecutionResult.newExecutionResult().addError(Errors.of(refused).build()).build()));
	}

	/**
	 * Counts errors, and adds the request id to them and the contract's name to those of
	 * the library.
	 */
	private Mono<WebGraphQlResponse> completed(WebGraphQlResponse response) {
		return Mono.deferContextual((context) -> {
			List<GraphQLError> errors = response.getExecutionResult()
				.getErrors()
				.stream()
				.map((error) -> completed(error, context.getOrDefault(RequestIds.CONTEXT, "")))
				.toList();
			WebGraphQlResponse complete = errors.isEmpty() ? response
					: response.transform((builder) -> builder.errors(errors));
			RefreshCookie.of(response.getExecutionInput().getGraphQLContext())
				.flatMap(RefreshCookie::change)
				.ifPresent((cookie) -> complete.getResponseHeaders().add(HttpHeaders.SET_COOKIE, cookie));
			return Mono.just(complete);
		});
	}

	private GraphQLError completed(GraphQLError error, @Nullable Object requestId) {
		@Nullable Map<String, Object> given = error.getExtensions();
		Map<String, Object> extensions = new HashMap<>();
		if (given == null || !given.containsKey("name")) {
			extensions.putAll(Errors.extensions(Refusal.INVALID_REQUEST.because(error.getMessage())));
		}
		else {
			extensions.putAll(given);
		}
		this.counts.count(String.valueOf(extensions.get("name")));
		extensions.put("requestId", String.valueOf(requestId));
		GraphqlErrorBuilder<?> builder = GraphqlErrorBuilder.newError()
			.message("%s", error.getMessage())
			.errorType(error.getErrorType())
			.extensions(extensions);
		if (error.getLocations() != null) {
			builder.locations(error.getLocations());
		}
		if (error.getPath() != null) {
			builder.path(error.getPath());
		}
		return builder.build();
	}

}
