package dev.mailroom.account;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Changes of an account by its owner; null fields stay unchanged.
 *
 * @param name new display name
 * @param password new password together with the current one
 */
public record AccountUpdate(@Nullable String name, @Nullable NewPassword password) {

	/**
	 * Validates the fields of a request.
	 * @throws dev.mailroom.Refused with all invalid fields
	 */
	public static AccountUpdate of(@Nullable String name, @Nullable Secret current, @Nullable Secret password) {
		FieldReader fields = new FieldReader();
		Optional<String> newName = fields.name(name);
		NewPassword change = (current != null || password != null) ? NewPassword.of(fields, current, password) : null;
		fields.requireValid();
		return new AccountUpdate((name != null) ? newName.orElseThrow() : null, change);
	}

	/** The current password and the one that replaces it. */
	record NewPassword(Secret current, Secret next) {

		private static @Nullable NewPassword of(FieldReader fields, @Nullable Secret current,
				@Nullable Secret password) {
			Optional<Secret> old = fields.password("current_password", current);
			Optional<Secret> next = fields.newPassword(password);
			return (old.isPresent() && next.isPresent()) ? new NewPassword(old.get(), next.get()) : null;
		}

	}

}
