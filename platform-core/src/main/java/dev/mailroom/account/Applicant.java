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
 * @param timeZone time zone (IANA) of the applicant's browser, or UTC
 */
public record Applicant(EmailAddress email, Secret password, String name, String timeZone) {

	Applicant(EmailAddress email, Secret password, String name) {
		this(email, password, name, NewAccount.UTC);
	}

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

	/** The same applicant in a time zone; in UTC if it is null or unknown. */
	public Applicant in(@Nullable String zone) {
		return (zone != null && FieldReader.isTimeZone(zone))
				? new Applicant(this.email, this.password, this.name, zone) : this;
	}
}
