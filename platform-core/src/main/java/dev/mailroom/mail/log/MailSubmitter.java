package dev.mailroom.mail.log;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * The API key or the person that submitted a mail.
 *
 * @param id the key or the person
 * @param name the name of the key or the person, or the person's address without one;
 * null once the key was revoked or the person has left the account
 */
public record MailSubmitter(UUID emailId, Kind kind, UUID id, @Nullable String name) {

	/** Kinds of submitters. */
	public enum Kind {

		/** An API key, over REST or SMTP. */
		API_KEY,

		/** A person who signed in. */
		PERSON

	}
}
