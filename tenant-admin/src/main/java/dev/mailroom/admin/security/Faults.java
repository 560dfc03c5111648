package dev.mailroom.admin.security;

import java.time.Duration;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import io.netty.handler.timeout.ReadTimeoutException;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcTimeoutException;
import io.r2dbc.spi.R2dbcTransientResourceException;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.transaction.CannotCreateTransactionException;

/** Conversion of errors to refusals of the contract. */
public final class Faults {

	private static final Refusal UNAVAILABLE = Refusal.unavailable("Service unavailable");

	private static final Refusal INTERNAL = new Refusal(Refusal.Kind.FAULT, "Internal error");

	private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

	private Faults() {
	}

	/** The refusal in the chain of causes, or else that of an unexpected error. */
	public static Refused of(Throwable error) {
		for (Throwable cause = error; cause != null; cause = cause.getCause()) {
			if (cause instanceof Refused refused) {
				return refused;
			}
			if (cause instanceof ReadTimeoutException) {
				return Refusal.INVALID_REQUEST.because("The body did not arrive in time");
			}
			if (isOutage(cause)) {
				return UNAVAILABLE.because("The database is unavailable; send the request again shortly")
					.retryAfter(RETRY_AFTER);
			}
		}
		return INTERNAL.because("An internal error occurred and was logged with this request id; try again, and send "
				+ "the id to support if it persists");
	}

	/** Whether the database cannot be used at present. */
	private static boolean isOutage(Throwable error) {
		return error instanceof DataAccessResourceFailureException || error instanceof TransientDataAccessException
				|| error instanceof CannotCreateTransactionException
				|| error instanceof R2dbcNonTransientResourceException
				|| error instanceof R2dbcTransientResourceException || error instanceof R2dbcTimeoutException;
	}

}
