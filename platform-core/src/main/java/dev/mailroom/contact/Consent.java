package dev.mailroom.contact;

import java.time.Instant;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * Evidence of a contact's consent to campaigns. It stays when the person unsubscribes.
 *
 * @param state null if the book did not require a confirmation
 * @param source origin of the last request to subscribe the contact; null if unknown
 * @param at time of that request; null if unknown
 * @param address network address of that request; empty if unknown
 * @param confirmedAt time at which the person last confirmed; null before
 * @param confirmedAddress network address of the confirmation; empty if unknown
 */
public record Consent(@Nullable State state, @Nullable Source source, @Nullable Instant at, String address,
		@Nullable Instant confirmedAt, String confirmedAddress) {

	/** Progress of a consent. */
	public enum State {

		/** Not subscribed until the person confirms. */
		PENDING,

		/** The account states that the person has agreed. */
		STATED,

		/** The person has confirmed by a link in a mail. */
		CONFIRMED;

		/** The name in the database and in the API. */
		public String contractName() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

	/** Origin of a request to subscribe a contact. */
	public enum Source {

		/** The REST API. */
		API,

		/** The web app. */
		WEB,

		/** A CSV file sent to the REST API. */
		IMPORT,

		/** A page that the person opened from a mail. */
		FORM;

		/** The name in the database and in the API. */
		public String contractName() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

	/**
	 * Origin of the contacts of a request.
	 *
	 * @param stated whether the account states that they have agreed
	 */
	public record Origin(Source source, boolean stated) {

		/** The origin of contacts whose consent is unknown. */
		public static Origin of(Source source) {
			return new Origin(source, false);
		}
	}

}
