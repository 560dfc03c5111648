package dev.mailroom.account;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.mailroom.Refused;
import org.jspecify.annotations.Nullable;

/**
 * Refusals of requests for accounts that are being moved to another cell, or have been.
 * The program that moves an account states it as the reason of a pause, which each
 * request to send reads.
 */
public final class MovedAccounts {

	private static final Pattern REASON = Pattern.compile("(being )?moved to the cell ([a-z][a-z0-9]{1,3})");

	/** The last part of a move takes seconds. */
	private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

	private MovedAccounts() {
	}

	/** The refusal of an account that was paused by a move; null for others. */
	public static @Nullable Refused refusal(@Nullable String pausedReason) {
		if (pausedReason == null) {
			return null;
		}
		Matcher move = REASON.matcher(pausedReason);
		if (!move.matches()) {
			return null;
		}
		return (move.group(1) != null) ? AccountRefusals.BUSY
			.because("The account is being moved to the cell " + move.group(2) + ": repeat the request")
			.retryAfter(RETRY_AFTER) : moved(move.group(2));
	}

	/** The refusal of a credential whose account has been moved. */
	static Refused moved(String cell) {
		return Cell.MISDIRECTED.because("The account has been moved to the cell " + cell + ": send the request there");
	}

}
