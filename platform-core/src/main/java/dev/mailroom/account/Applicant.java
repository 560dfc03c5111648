package dev.mailroom.account;

import java.util.Optional;

import dev.mailroom.EmailAddress;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who asks for an account.
 *
 * @param email the address it will sign in with
 * @param password what it will sign in with
 * @param name may be empty
 */
public record Applicant(EmailAddress email, Secret password, String name) {

	/**
	 * Reads a request.
	 * @throws dev.mailroom.Refused with every field at fault
	 */
	public static Applicant of(@Nullable String email, @Nullable Secret password, @Nullable String name) {
		FieldReader fields = new FieldReader();
		Optional<EmailAddress> address = fields.address(email);
		Optional<Secret> secret = fields.newPassword(password);
		Optional<String> called = fields.name(name);
		fields.settle();
		return new Applicant(address.orElseThrow(), secret.orElseThrow(), called.orElseThrow());
	}
}
