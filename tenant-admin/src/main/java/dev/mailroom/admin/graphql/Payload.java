package dev.mailroom.admin.graphql;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.mailroom.Refused;
import dev.mailroom.admin.security.ErrorCounts;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Results of mutations: the changed object under its name, or errors that the user can
 * correct. Errors of the request, such as a missing credential, are errors of the
 * response.
 */
public final class Payload {

	private static final String USER_ERRORS = "userErrors";

	private Payload() {
	}

	/** The result of a change, or its refusal. */
	public static <T> Mono<Map<String, Object>> of(String name, Mono<T> work) {
		return work.<Map<String, Object>>map((value) -> Map.of(name, value, USER_ERRORS, List.of()))
			.defaultIfEmpty(Map.of(USER_ERRORS, List.of()))
			.onErrorResume(Refused.class, Payload::refused);
	}

	/** A result with several fields, or the refusal. */
	public static Mono<Map<String, Object>> fields(Mono<Map<String, Object>> work) {
		return work.<Map<String, Object>>map((fields) -> {
			Map<String, Object> all = new HashMap<>(fields);
			all.put(USER_ERRORS, List.of());
			return all;
		}).onErrorResume(Refused.class, Payload::refused);
	}

	private static Mono<Map<String, Object>> refused(Refused refused) {
		return switch (refused.refusal().kind()) {
			case INVALID, CONFLICT, NOT_FOUND, FORBIDDEN, TOO_LARGE, LIMITED -> Mono.deferContextual((context) -> {
				ErrorCounts.count(context, refused);
				return Mono.just(Map.of(USER_ERRORS, errors(refused)));
			});
			case UNAUTHENTICATED, METHOD_NOT_ALLOWED, UNSUPPORTED, MISDIRECTED, FAULT, UNAVAILABLE ->
				Mono.error(refused);
		};
	}

	private static List<UserError> errors(Refused refused) {
		String name = refused.refusal().name();
		String error = refused.refusal().error();
		return refused.details().isEmpty() ? List.of(new UserError(name, error, refused.message(), null))
				: refused.details()
					.stream()
					.map((detail) -> new UserError(name, error, detail.message(), detail.field()))
					.toList();
	}

	/**
	 * An error that the user can correct.
	 *
	 * @param name the contract's name of the error in snake case
	 * @param error the contract's name of the error
	 * @param field path of the invalid input; null if the error concerns none
	 */
	public record UserError(String name, String error, String message, @Nullable String field) {
	}

}
