package dev.mailroom.api.http;

import java.util.Set;

import dev.mailroom.Refusal;

import org.springframework.http.server.reactive.ServerHttpRequest;

/** The refusal of a malformed request, which has another name on the routes that send. */
public final class InvalidRequest {

	private static final Refusal INVALID_EMAIL = Refusal.invalid("Validation error");

	private static final Set<String> SENDING = Set.of("/api/emails", "/api/emails/batch", "/api/emails/mime");

	private InvalidRequest() {
	}

	/** The contract's name of a malformed request on this route. */
	public static Refusal on(ServerHttpRequest request) {
		return SENDING.contains(request.getPath().pathWithinApplication().value()) ? INVALID_EMAIL
				: Refusal.INVALID_REQUEST;
	}

}
