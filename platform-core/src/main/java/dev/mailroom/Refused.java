package dev.mailroom;

import java.io.Serial;
import java.time.Duration;
import java.util.List;
import java.util.Map;

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

	private final transient Map<String, String> properties;

	Refused(Refusal refusal, String message, List<Refusal.Detail> details, @Nullable Duration retryAfter) {
		this(refusal, message, details, retryAfter, Map.of());
	}

	private Refused(Refusal refusal, String message, List<Refusal.Detail> details, @Nullable Duration retryAfter,
			Map<String, String> properties) {
		super(message, null, false, false);
		this.properties = properties;
		this.refusal = refusal;
		this.details = details;
		this.retryAfter = retryAfter;
	}

	/** A copy of this exception that asks the client to retry after the delay. */
	public Refused retryAfter(Duration delay) {
		return new Refused(this.refusal, message(), this.details, delay, this.properties);
	}

	/** A copy of this exception with more properties of the response, by their names. */
	public Refused with(Map<String, String> values) {
		return new Refused(this.refusal, message(), this.details, this.retryAfter, Map.copyOf(values));
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

	/** Properties that the response has besides those of every error; mostly empty. */
	public Map<String, String> properties() {
		return this.properties;
	}

	/** The time after which a retry may succeed; null if a retry does not help. */
	public @Nullable Duration retryAfter() {
		return this.retryAfter;
	}

}
