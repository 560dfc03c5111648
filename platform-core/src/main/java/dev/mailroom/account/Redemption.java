package dev.mailroom.account;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * A link to reset a password, used.
 *
 * @param token what the link carried
 * @param password the password from now on
 */
public record Redemption(Secret token, Secret password) {

	/**
	 * Reads a request.
	 * @throws dev.mailroom.Refused with every field at fault
	 */
	public static Redemption of(@Nullable Secret token, @Nullable Secret password) {
		Fields fields = new Fields();
		Optional<Secret> link = fields.token("token", token);
		Optional<Secret> secret = fields.newPassword(password);
		fields.settle();
		return new Redemption(link.orElseThrow(), secret.orElseThrow());
	}
}
