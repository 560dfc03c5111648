package dev.mailroom.sdk;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The request of a call.
 *
 * @param name the operation
 * @param type the media type of the body
 * @param accept the media types of the response
 * @param idempotent whether the operation supports an Idempotency-Key
 */
record Call(String name, String method, String path, Map<String, @Nullable Object> query, byte @Nullable [] body,
		String type, String accept, boolean idempotent) {

	Call(String name, String method, String path) {
		this(name, method, path, Map.of(), null, "application/json", "application/json", false);
	}

	Call repeatable() {
		return new Call(this.name, this.method, this.path, this.query, this.body, this.type, this.accept, true);
	}

	Call accept(String accept) {
		return new Call(this.name, this.method, this.path, this.query, this.body, this.type, accept, this.idempotent);
	}

	Call query(Fields query) {
		return query(query.values());
	}

	Call query(Map<String, @Nullable Object> query) {
		return new Call(this.name, this.method, this.path, query, this.body, this.type, this.accept, this.idempotent);
	}

	Call json(@Nullable Object body) {
		return body("application/json", Json.write(body));
	}

	Call body(String type, String body) {
		return body(type, body.getBytes(StandardCharsets.UTF_8));
	}

	Call body(String type, byte[] body) {
		return new Call(this.name, this.method, this.path, this.query, body, type, this.accept, this.idempotent);
	}

}
