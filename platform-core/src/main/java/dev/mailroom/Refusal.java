package dev.mailroom;

import java.util.List;
import java.util.Locale;

/**
 * One way the product says no: a row of the contract's error table. A face turns the
 * {@link Kind} into its own status; the name is the contract's, verbatim.
 *
 * @param kind what sort of no it is
 * @param error the contract's name of the error, such as {@code From domain mismatch}
 */
public record Refusal(Kind kind, String error) {

	/** The sorts of no, each with the HTTP status that the contract gives it. */
	public enum Kind {

		INVALID(400), UNAUTHENTICATED(401), FORBIDDEN(403), NOT_FOUND(404), METHOD_NOT_ALLOWED(405), CONFLICT(409),
		TOO_LARGE(413), UNSUPPORTED(415), LIMITED(429), FAULT(500), UNAVAILABLE(503);

		private final int status;

		Kind(int status) {
			this.status = status;
		}

		/** The status that every face reports, as HTTP numbers it. */
		public int status() {
			return this.status;
		}

	}

	/**
	 * One field at fault.
	 *
	 * @param field where, as a path into the body: {@code to[1]}
	 * @param message what is wrong with it
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

	/** The error's name in snake case: {@code from_domain_mismatch}. */
	public String name() {
		return this.error.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_");
	}

	/**
	 * This refusal, with what happened and what to do about it.
	 * @param message a sentence for the person who reads the answer
	 */
	public Refused because(String message) {
		return new Refused(this, message, List.of(), null);
	}

	/** This refusal, with the fields at fault. */
	public Refused because(String message, List<Detail> details) {
		return new Refused(this, message, List.copyOf(details), null);
	}

}
