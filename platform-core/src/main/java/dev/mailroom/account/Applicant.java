package dev.mailroom.account;

import java.util.Optional;

import dev.mailroom.EmailAddress;
import org.jspecify.annotations.Nullable;

/**
 * A request for an account.
 *
 * @param email address to sign in with
 * @param password password to sign in with
 * @param name display name; may be empty
 */
public record Applicant(EmailAddress email, Secret password, String name) {

	/**
	 * Validates the fields of a request.
	 * @throws dev.mailroom.Refused with all invalid fields
	 */
	public static Applicant of(@Nullable String email, @Nullable Secret password, @Nullable String name) {
		FieldReader fields = new FieldReader();
		Optional<EmailAddress> address = fields.address(email);
		Optional<Secret> secret = fields.newPassword(password);
		Optional<String> displayName = fields.name(name);
		fields.requireValid();
		return new Applicant(address.orElseThrow(), secret.orElseThrow(), displayName.orElseThrow());
	}
}
