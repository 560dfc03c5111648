package dev.mailroom.admin.graphql;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.admin.security.ErrorCounts;
import dev.mailroom.http.Faults;
import dev.mailroom.observability.LoggedRequest;
import graphql.GraphQLError;
import graphql.GraphqlErrorBuilder;
import graphql.execution.AbortExecutionException;
import graphql.schema.DataFetchingEnvironment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.graphql.execution.DataFetcherExceptionResolver;
import org.springframework.graphql.execution.ErrorType;
import org.springframework.graphql.execution.SubscriptionExceptionResolver;
import org.springframework.stereotype.Component;

/**
 * Conversion of errors to GraphQL errors. Their extensions hold the contract's name and
 * status, as the bodies of the REST API do.
 */
@Component
@Order(-1)
class Errors implements DataFetcherExceptionResolver, SubscriptionExceptionResolver {

	private static final Logger log = LoggerFactory.getLogger(Errors.class);

	@Override
	public Mono<List<GraphQLError>> resolveException(Throwable error, DataFetchingEnvironment environment) {
		String path = environment.getExecutionStepInfo().getPath().toString();
		return logged(error, path)
			.map((refused) -> List.of(of(refused).path(environment.getExecutionStepInfo().getPath())
				.location(environment.getField().getSourceLocation())
				.build()));
	}

	@Override
	public Mono<List<GraphQLError>> resolveException(Throwable error) {
		return Mono.deferContextual(
				(context) -> logged(error, "subscription").doOnNext((refused) -> ErrorCounts.count(context, refused))
					.map((refused) -> List.of(of(refused).build())));
	}

	/** Logs a fault, unless it is the end of a request whose client has gone. */
	private static Mono<Refused> logged(Throwable error, String path) {
		return Mono.deferContextual((context) -> {
			Refused refused = Faults.of(error);
			if (refused.refusal().kind() == Refusal.Kind.FAULT && !(error instanceof AbortExecutionException)) {
				LoggedRequest.with(context, () -> log.error("Field {} failed", path, error));
			}
			return Mono.just(refused);
		});
	}

	static GraphqlErrorBuilder<?> of(Refused refused) {
		return GraphqlErrorBuilder.newError()
			.message("%s", refused.message())
			.errorType(type(refused.refusal().kind()))
			.extensions(extensions(refused));
	}

	/** The contract's fields of an error. */
	static Map<String, Object> extensions(Refused refused) {
		Refusal refusal = refused.refusal();
		Map<String, Object> extensions = new LinkedHashMap<>();
		extensions.put("code", refusal.kind().name());
		extensions.put("error", refusal.error());
		extensions.put("name", refusal.name());
		extensions.put("statusCode", refusal.kind().status());
		if (!refused.details().isEmpty()) {
			extensions.put("details",
					refused.details()
						.stream()
						.map((detail) -> Map.of("field", detail.field(), "message", detail.message()))
						.toList());
		}
		if (refused.retryAfter() != null) {
			extensions.put("retryAfter", Math.max(1, refused.retryAfter().toSeconds()));
		}
		return extensions;
	}

	private static ErrorType type(Refusal.Kind kind) {
		return switch (kind) {
			case UNAUTHENTICATED -> ErrorType.UNAUTHORIZED;
			case FORBIDDEN -> ErrorType.FORBIDDEN;
			case NOT_FOUND -> ErrorType.NOT_FOUND;
			case FAULT, UNAVAILABLE -> ErrorType.INTERNAL_ERROR;
			case INVALID, METHOD_NOT_ALLOWED, CONFLICT, TOO_LARGE, UNSUPPORTED, MISDIRECTED, LIMITED ->
				ErrorType.BAD_REQUEST;
		};
	}

}
