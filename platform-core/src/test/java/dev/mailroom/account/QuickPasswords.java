package dev.mailroom.account;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/**
 * Passwords whose hashes take no time, for tests. {@link PasswordsTest} tests the real
 * cost.
 */
public final class QuickPasswords {

	static final Passwords.Cost COST = new Passwords.Cost(64, 1);

	private QuickPasswords() {
	}

	/** Replaces the passwords of an app that is not started yet. */
	public static void register(ConfigurableApplicationContext context) {
		((GenericApplicationContext) context).registerBean("passwords", Passwords.class, () -> new Passwords(COST));
	}

	/** A hash that an account may have. */
	public static String hash(String password) {
		return COST.encoder().encode(password);
	}

}
