package dev.mailroom.worker.smtp.server;

/**
 * A reply with the codes of RFC 5321 and RFC 3463.
 *
 * @param code reply code
 * @param status enhanced status code
 * @param text one line; control and non-ASCII characters are replaced and the length is
 * limited
 */
public record SmtpReply(int code, String status, String text) {

	private static final int MAX_LENGTH = 400;

	public SmtpReply {
		text = text.replaceAll("[^\\x20-\\x7e]+", " ").strip();
		text = (text.length() > MAX_LENGTH) ? text.substring(0, MAX_LENGTH) : text;
	}

	boolean isPositive() {
		return this.code < 400;
	}

	@Override
	public String toString() {
		return this.code + " " + this.status + " " + this.text;
	}

}
