package dev.mailroom;

import java.io.Serial;
import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Exception that ends an operation with a {@link Refusal}. It has no stack trace, because
 * it reports an expected error to the client.
 */
public final class Refused extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final transient Refusal refusal;

	private final transient List<Refusal.Detail> details;

	private final transient @Nullable Duration retryAfter;

	Refused(Refusal refusal, String message, List<Refusal.Detail> details, @Nullable Duration retryAfter) {
		super(message, null, false, false);
		this.refusal = refusal;
		this.details = details;
		this.retryAfter = retryAfter;
	}

	/** A copy of this exception that asks the client to retry after the delay. */
	public Refused retryAfter(Duration delay) {
		return new Refused(this.refusal, message(), this.details, delay);
	}

	public Refusal refusal() {
		return this.refusal;
	}

	/** A sentence that states the cause and the remedy. */
	public String message() {
		return String.valueOf(getMessage());
	}

	/** The invalid fields; empty if the refusal is not about fields. */
	public List<Refusal.Detail> details() {
		return this.details;
	}

	/** The time after which a retry may succeed; null if a retry does not help. */
	public @Nullable Duration retryAfter() {
		return this.retryAfter;
	}

}
