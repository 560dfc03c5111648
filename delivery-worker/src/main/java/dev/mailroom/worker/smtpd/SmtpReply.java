package dev.mailroom.worker.smtpd;

/**
 * What a server says, with the codes of RFC 5321 and RFC 3463.
 *
 * @param code of three digits
 * @param status the enhanced status code
 * @param text of one line; what could end it, or is no ASCII, does not get out
 */
public record SmtpReply(int code, String status, String text) {

	private static final int LONGEST = 400;

	public SmtpReply {
		text = text.replaceAll("[^\\x20-\\x7e]+", " ").strip();
		text = (text.length() > LONGEST) ? text.substring(0, LONGEST) : text;
	}

	boolean isPositive() {
		return this.code < 400;
	}

	@Override
	public String toString() {
		return this.code + " " + this.status + " " + this.text;
	}

}
