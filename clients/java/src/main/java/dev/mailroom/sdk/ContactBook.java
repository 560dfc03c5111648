package dev.mailroom.sdk;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A contact book.
 *
 * @param publicName Absent if recipients see the name.
 * @param doubleOptIn Absent if the book does not require it.
 */
public record ContactBook(String id, String userId, String name, @Nullable String publicName,
		@Nullable Boolean doubleOptIn, Instant createdAt, Instant updatedAt) {

	static ContactBook of(JsonObject json) {
		return new ContactBook(json.text("id"), json.text("user_id"), json.text("name"), json.textOrNull("public_name"),
				json.boolOrNull("double_opt_in"), json.time("created_at"), json.time("updated_at"));
	}

}
