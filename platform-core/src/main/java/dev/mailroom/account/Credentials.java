package dev.mailroom.account;

import java.util.Optional;

import dev.mailroom.EmailAddress;
import org.jspecify.annotations.Nullable;

/**
 * What somebody signs in with.
 *
 * @param email whose account it is said to be
 * @param password what is to prove it
 */
public record Credentials(EmailAddress email, Secret password) {

	/**
	 * Reads a request.
	 * @throws dev.mailroom.Refused with every field at fault
	 */
	public static Credentials of(@Nullable String email, @Nullable Secret password) {
		FieldReader fields = new FieldReader();
		Optional<EmailAddress> address = fields.address(email);
		Optional<Secret> secret = fields.password("password", password);
		fields.settle();
		return new Credentials(address.orElseThrow(), secret.orElseThrow());
	}
}
