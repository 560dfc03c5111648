package dev.mailroom.worker.compose;

import java.io.Serial;
import java.security.GeneralSecurityException;

import dev.mailroom.outcome.Outcome;

/**
 * A mail that could not be signed for now. It does not go unsigned: a receiver would
 * think it forged.
 */
public final class Unsigned extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	Unsigned(Throwable cause) {
		super("The mail could not be signed", cause);
	}

	/**
	 * A key that does not open is for somebody to look after: the mail waits as after a
	 * refusal. Where the database was away the mail was not begun, and waits no longer
	 * than that.
	 */
	public Outcome outcome() {
		boolean keyAtFault = getCause() instanceof IllegalStateException
				|| getCause() instanceof GeneralSecurityException;
		return keyAtFault ? new Outcome.Deferred("451 4.7.5 The domain's signing key cannot be used")
				: new Outcome.Unopened("451 4.3.0 The domain's signing keys could not be read", false);
	}

}
