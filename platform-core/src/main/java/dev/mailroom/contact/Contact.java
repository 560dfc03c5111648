package dev.mailroom.contact;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.event.Event;
import dev.mailroom.event.EventKind;
import org.jspecify.annotations.Nullable;

/**
 * A contact of a contact book.
 *
 * @param email the address as last given; it identifies the contact regardless of case
 * @param firstName empty if unknown
 * @param lastName empty if unknown
 * @param subscribed whether campaigns may be sent to the contact
 * @param properties the account's own data about the contact
 * @param consent evidence of the contact's consent
 */
public record Contact(UUID id, UUID accountId, UUID contactBookId, String email, String firstName, String lastName,
		boolean subscribed, Map<String, @Nullable Object> properties, Consent consent, Instant createdAt,
		Instant updatedAt) implements Page.Item {

	/** An event about this contact. */
	Event event(EventKind kind) {
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("id", this.id);
		data.put("contact_book_id", this.contactBookId);
		data.put("email", this.email);
		data.put("first_name", this.firstName);
		data.put("last_name", this.lastName);
		data.put("subscribed", this.subscribed);
		data.put("properties", this.properties);
		Consent.@Nullable State state = this.consent.state();
		if (state != null) {
			data.put("consent", state.contractName());
		}
		data.put("created_at", this.createdAt);
		data.put("updated_at", this.updatedAt);
		return new Event(this.accountId, kind, null, data);
	}

	/**
	 * A change of a contact as a request gives it, not validated. A field that is null
	 * stays as it is.
	 *
	 * @param properties replace all present ones
	 * @param source the origin of the change
	 */
	public record Change(@Nullable String firstName, @Nullable String lastName, @Nullable Boolean subscribed,
			@Nullable Map<String, @Nullable Object> properties, Consent.Source source) {
	}

	/**
	 * Selects the contacts of a list.
	 *
	 * @param search part of the address or the name, matched literally and regardless of
	 * case; null for all
	 * @param subscribed whether campaigns may be sent to the contact; null for all
	 */
	public record Filter(@Nullable String search, @Nullable Boolean subscribed) {

		/** Selects all contacts. */
		public static final Filter ALL = new Filter(null, null);

		/** A blank search becomes null; NUL, which PostgreSQL rejects, is replaced. */
		public static Filter of(@Nullable String search, @Nullable Boolean subscribed) {
			return new Filter((search == null || search.isBlank()) ? null : search.replace('\0', '\uFFFD'), subscribed);
		}
	}

	/** A contact with the name of its book. */
	public record Found(Contact contact, String contactBookName) {
	}

}
