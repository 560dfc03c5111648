package dev.mailroom.mail.accept;

/**
 * Response of a completed request, stored with its key.
 *
 * @param status HTTP status
 * @param body JSON: the response's body, or the result from which a protocol renders it
 */
public record StoredResponse(int status, String body) {

	/** Stands for a response that is stored later in the transaction. */
	public static final StoredResponse NONE = new StoredResponse(0, "");

}
