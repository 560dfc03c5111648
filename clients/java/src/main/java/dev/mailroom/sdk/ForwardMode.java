package dev.mailroom.sdk;

/**
 * Sender of a forwarded mail whose author's domain refuses mail of others (DMARC), if no
 * signature of that domain is valid. <code>rewrite</code>: From is the address at which
 * the mail arrived, with the author's name, and replies go to the author.
 * <code>keep</code>: the mail is forwarded as it is. The API may add values.
 *
 * @param value the text in the API
 */
public record ForwardMode(String value) {

	/** {@code rewrite}. */
	public static final ForwardMode REWRITE = new ForwardMode("rewrite");

	/** {@code keep}. */
	public static final ForwardMode KEEP = new ForwardMode("keep");

	@Override
	public String toString() {
		return this.value;
	}

}
