package dev.mailroom.http;

import java.time.Duration;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import io.netty.handler.timeout.ReadTimeoutException;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcTimeoutException;
import io.r2dbc.spi.R2dbcTransientResourceException;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.transaction.CannotCreateTransactionException;

/** Conversion of the errors that every app can have to refusals of the contract. */
public final class Faults {

	private static final Refusal UNAVAILABLE = Refusal.unavailable("Service unavailable");

	private static final Refusal TOO_LARGE = new Refusal(Refusal.Kind.TOO_LARGE, "Payload too large");

	private static final Refusal INTERNAL = new Refusal(Refusal.Kind.FAULT, "Internal error");

	private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

	private Faults() {
	}

	/** The refusal in the chain of causes, or else that of an unexpected error. */
	public static Refused of(Throwable error) {
		for (Throwable cause = error; cause != null; cause = cause.getCause()) {
			@Nullable Refused refused = known(cause);
			if (refused != null) {
				return refused;
			}
		}
		return unexpected();
	}

	/**
	 * The refusal that an error means, apart from its causes; null if it is not known.
	 */
	public static @Nullable Refused known(Throwable error) {
		if (error instanceof Refused refused) {
			return refused;
		}
		if (error instanceof ReadTimeoutException) {
			return Refusal.INVALID_REQUEST.because("The body did not arrive in time");
		}
		if (isOutage(error)) {
			return UNAVAILABLE.because("The database is unavailable; send the request again shortly")
				.retryAfter(RETRY_AFTER);
		}
		return null;
	}

	/** The refusal of an unexpected error. */
	public static Refused unexpected() {
		return INTERNAL.because("An internal error occurred and was logged with this request id; try again, and send "
				+ "the id to support if it persists");
	}

	/**
	 * The refusal of a request that the server could not read.
	 * @param status the status that the server chose
	 */
	static Refused unread(int status) {
		return switch (status) {
			case 408 -> Refusal.INVALID_REQUEST.because("The request did not arrive in time");
			case 413, 414, 431 -> TOO_LARGE.because("The path or a header of the request is too long");
			default -> Refusal.INVALID_REQUEST.because("The request is not valid HTTP");
		};
	}

	/**
	 * Whether the database cannot be used at present, after which a retry can succeed.
	 */
	static boolean isOutage(Throwable error) {
		return error instanceof DataAccessResourceFailureException || error instanceof TransientDataAccessException
				|| error instanceof CannotCreateTransactionException
				|| error instanceof R2dbcNonTransientResourceException
				|| error instanceof R2dbcTransientResourceException || error instanceof R2dbcTimeoutException;
	}

}
