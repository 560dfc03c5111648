package dev.mailroom.sdk;

/**
 * A bulk result.
 *
 * @param count Number of contacts added.
 * @param updated Number of contacts updated.
 */
public record BulkResult(String message, long count, long updated) {

	static BulkResult of(JsonObject json) {
		return new BulkResult(json.text("message"), json.integer("count"), json.integer("updated"));
	}

}
