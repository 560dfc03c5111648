package dev.mailroom.api.http;

import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcTimeoutException;
import io.r2dbc.spi.R2dbcTransientResourceException;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.transaction.CannotCreateTransactionException;

/**
 * Distinguishes an unreachable database, after which a retry can succeed, from errors of
 * the app.
 */
final class DatabaseOutage {

	private DatabaseOutage() {
	}

	/** Whether the error means that the database cannot be used at present. */
	static boolean is(Throwable error) {
		return error instanceof DataAccessResourceFailureException || error instanceof TransientDataAccessException
				|| error instanceof CannotCreateTransactionException
				|| error instanceof R2dbcNonTransientResourceException
				|| error instanceof R2dbcTransientResourceException || error instanceof R2dbcTimeoutException;
	}

}
