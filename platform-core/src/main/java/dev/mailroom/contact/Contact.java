package dev.mailroom.contact;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.event.Event;
import dev.mailroom.event.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Somebody in a contact book.
 *
 * @param email as it was last given; case does not tell contacts apart
 * @param firstName empty where none is known
 * @param lastName empty where none is known
 * @param subscribed whether campaigns may write to them
 * @param properties whatever else the account knows of them
 */
public record Contact(UUID id, UUID accountId, UUID contactBookId, String email, String firstName, String lastName,
		boolean subscribed, Map<String, @Nullable Object> properties, Instant createdAt, Instant updatedAt) {

	/** Where it stands in lists. */
	Page.Cursor cursor() {
		return new Page.Cursor(this.createdAt, this.id);
	}

	/** That something happened to it. */
	Event event(Kind kind) {
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("id", this.id);
		data.put("contact_book_id", this.contactBookId);
		data.put("email", this.email);
		data.put("first_name", this.firstName);
		data.put("last_name", this.lastName);
		data.put("subscribed", this.subscribed);
		data.put("properties", this.properties);
		data.put("created_at", this.createdAt);
		data.put("updated_at", this.updatedAt);
		return new Event(this.accountId, kind, null, data);
	}

	/**
	 * What is asked to be changed; null stays as it is.
	 *
	 * @param properties take the place of all that were there
	 */
	public record Change(@Nullable String firstName, @Nullable String lastName, @Nullable Boolean subscribed,
			@Nullable Map<String, @Nullable Object> properties) {
	}

	/**
	 * Which contacts are asked for.
	 *
	 * @param search a part of the address or the name, taken literally; null for all
	 */
	public record Filter(@Nullable String search) {

		/** Reads a search; nothing to look for finds all, and NUL stands nowhere. */
		public static Filter of(@Nullable String search) {
			return new Filter((search == null || search.isBlank()) ? null : search.replace('\0', '\uFFFD'));
		}
	}

}
