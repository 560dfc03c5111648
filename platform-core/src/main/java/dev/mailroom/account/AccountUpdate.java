package dev.mailroom.account;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * What an owner wants changed about their account; null stays as it is.
 *
 * @param name what they want to be called
 * @param password the password from now on, with the one that held so far
 */
public record AccountUpdate(@Nullable String name, @Nullable NewPassword password) {

	/**
	 * Reads a request.
	 * @throws dev.mailroom.Refused with every field at fault
	 */
	public static AccountUpdate of(@Nullable String name, @Nullable Secret current, @Nullable Secret password) {
		FieldReader fields = new FieldReader();
		Optional<String> called = fields.name(name);
		NewPassword change = (current != null || password != null) ? NewPassword.of(fields, current, password) : null;
		fields.settle();
		return new AccountUpdate((name != null) ? called.orElseThrow() : null, change);
	}

	/** The password that held so far, and the one from now on. */
	record NewPassword(Secret current, Secret next) {

		private static @Nullable NewPassword of(FieldReader fields, @Nullable Secret current,
				@Nullable Secret password) {
			Optional<Secret> old = fields.password("current_password", current);
			Optional<Secret> next = fields.newPassword(password);
			return (old.isPresent() && next.isPresent()) ? new NewPassword(old.get(), next.get()) : null;
		}
	}
}
