package dev.mailroom;

import java.util.List;
import java.util.Locale;

/**
 * An expected error of the contract. Each protocol maps the {@link Kind} to its own
 * status.
 *
 * @param error the contract's name of the error, verbatim, such as
 * {@code From domain mismatch}
 */
public record Refusal(Kind kind, String error) {

	/** The contract's error for invalid fields and parameters of most operations. */
	public static final Refusal INVALID_REQUEST = invalid("Invalid request data");

	/** Classes of errors, each with the HTTP status that the contract assigns to it. */
	public enum Kind {

		INVALID(400), UNAUTHENTICATED(401), FORBIDDEN(403), NOT_FOUND(404), METHOD_NOT_ALLOWED(405), CONFLICT(409),
		TOO_LARGE(413), UNSUPPORTED(415), MISDIRECTED(421), LIMITED(429), FAULT(500), UNAVAILABLE(503);

		private final int status;

		Kind(int status) {
			this.status = status;
		}

		/** The HTTP status, which the other protocols report as well. */
		public int status() {
			return this.status;
		}

	}

	/**
	 * A field with an invalid value.
	 *
	 * @param field the path of the field in the body, such as {@code to[1]}
	 * @param message the rule that the value breaks
	 */
	public record Detail(String field, String message) {
	}

	public static Refusal invalid(String error) {
		return new Refusal(Kind.INVALID, error);
	}

	public static Refusal forbidden(String error) {
		return new Refusal(Kind.FORBIDDEN, error);
	}

	public static Refusal notFound(String error) {
		return new Refusal(Kind.NOT_FOUND, error);
	}

	public static Refusal conflict(String error) {
		return new Refusal(Kind.CONFLICT, error);
	}

	public static Refusal limited(String error) {
		return new Refusal(Kind.LIMITED, error);
	}

	public static Refusal unavailable(String error) {
		return new Refusal(Kind.UNAVAILABLE, error);
	}

	/** The name of the error in snake case, such as {@code from_domain_mismatch}. */
	public String name() {
		return this.error.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_");
	}

	/**
	 * Creates the exception to this refusal.
	 * @param message a sentence that states the cause and the remedy
	 */
	public Refused because(String message) {
		return new Refused(this, message, List.of(), null);
	}

	/** Creates the exception to this refusal, with the invalid fields. */
	public Refused because(String message, List<Detail> details) {
		return new Refused(this, message, List.copyOf(details), null);
	}

	/**
	 * Creates the exception for one invalid field.
	 * @param field the path of the field in the body, such as {@code to[1]}
	 * @param message the rule that the value breaks, without the name of the field
	 */
	public Refused field(String field, String message) {
		return because(field + " " + message, List.of(new Detail(field, message)));
	}

}
