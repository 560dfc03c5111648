package dev.mailroom.account;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * A link to reset a password, used.
 *
 * @param token what the link carried
 * @param password the password from now on
 */
public record PasswordResetRequest(Secret token, Secret password) {

	/**
	 * Reads a request.
	 * @throws dev.mailroom.Refused with every field at fault
	 */
	public static PasswordResetRequest of(@Nullable Secret token, @Nullable Secret password) {
		FieldReader fields = new FieldReader();
		Optional<Secret> link = fields.token("token", token);
		Optional<Secret> secret = fields.newPassword(password);
		fields.settle();
		return new PasswordResetRequest(link.orElseThrow(), secret.orElseThrow());
	}
}
