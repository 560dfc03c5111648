package dev.mailroom.sdk;

/** A call of a webhook endpoint that was not verified. */
public sealed class WebhookException extends RuntimeException {

	private static final long serialVersionUID = 1;

	private WebhookException(String message) {
		super(message);
	}

	/** A header of the signature is missing. */
	public static final class MissingHeaders extends WebhookException {

		private static final long serialVersionUID = 1;

		MissingHeaders(String message) {
			super(message);
		}

	}

	/** The call is older than five minutes, or from the future. */
	public static final class Expired extends WebhookException {

		private static final long serialVersionUID = 1;

		Expired(String message) {
			super(message);
		}

	}

	/** No signature is of the secret and the body. */
	public static final class WrongSignature extends WebhookException {

		private static final long serialVersionUID = 1;

		WrongSignature(String message) {
			super(message);
		}

	}

	/** The event lacks a field, or has one of another type. */
	public static final class WrongShape extends WebhookException {

		private static final long serialVersionUID = 1;

		WrongShape(IllegalArgumentException cause) {
			super(String.valueOf(cause.getMessage()));
			initCause(cause);
		}

	}

}
