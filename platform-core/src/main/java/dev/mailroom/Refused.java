package dev.mailroom;

import java.io.Serial;
import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Thrown, or signalled, where a {@link Refusal} is the answer. It carries no stack trace:
 * it is an answer, not a fault.
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

	/** This refusal, with the time after which asking again makes sense. */
	public Refused retryAfter(Duration delay) {
		return new Refused(this.refusal, message(), this.details, delay);
	}

	public Refusal refusal() {
		return this.refusal;
	}

	/** What happened and what to do: a sentence. */
	public String message() {
		return String.valueOf(getMessage());
	}

	/** The fields at fault; empty where none is. */
	public List<Refusal.Detail> details() {
		return this.details;
	}

	/** When to ask again, or null where that would not help. */
	public @Nullable Duration retryAfter() {
		return this.retryAfter;
	}

}
