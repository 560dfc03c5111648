package dev.mailroom.worker.compose;

import java.io.Serial;
import java.security.GeneralSecurityException;

import dev.mailroom.mail.outcome.Outcome;

/**
 * The mail could not be signed temporarily. It is not sent without a signature, because
 * receivers would treat it as forged.
 */
public final class Unsigned extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	Unsigned(Throwable cause) {
		super("The mail could not be signed", cause);
	}

	/**
	 * Outcome of the mail. A key that cannot be used requires an operator, so that the
	 * mail is deferred; if the keys could not be read, the mail was not attempted.
	 */
	public Outcome outcome() {
		boolean keyAtFault = getCause() instanceof IllegalStateException
				|| getCause() instanceof GeneralSecurityException;
		return keyAtFault ? new Outcome.Deferred("451 4.7.5 The domain's signing key cannot be used")
				: new Outcome.Unopened("451 4.3.0 The domain's signing keys could not be read", false);
	}

}
