package dev.mailroom.worker.smtp.server;

/**
 * A reply with the codes of RFC 5321 and RFC 3463, and the replies of the protocol
 * itself.
 *
 * @param code reply code
 * @param status enhanced status code
 * @param text one line; control and non-ASCII characters are replaced and the length is
 * limited
 */
public record SmtpReply(int code, String status, String text) {

	private static final int MAX_LENGTH = 400;

	static final String START_MAIL_INPUT = "354 Start mail input; end with <CRLF>.<CRLF>";

	static final SmtpReply HELP = new SmtpReply(214, "2.0.0", "See RFC 5321");

	static final SmtpReply READY_FOR_TLS = new SmtpReply(220, "2.0.0", "Ready to start TLS");

	static final SmtpReply BYE = new SmtpReply(221, "2.0.0", "Bye");

	static final SmtpReply AUTHENTICATED = new SmtpReply(235, "2.7.0", "Authentication successful");

	static final SmtpReply OK = new SmtpReply(250, "2.0.0", "Ok");

	static final SmtpReply CANNOT_VERIFY = new SmtpReply(252, "2.5.2", "Cannot verify the address; delivery is tried");

	static final SmtpReply SHUTTING_DOWN = new SmtpReply(421, "4.3.2", "Server shutting down, try again later");

	static final SmtpReply TIMEOUT = new SmtpReply(421, "4.4.2", "Timeout");

	static final SmtpReply TOO_MANY_ERRORS = new SmtpReply(421, "4.7.0", "Too many errors");

	static final SmtpReply TOO_MANY_CONNECTIONS = new SmtpReply(421, "4.7.0", "Too many connections, try again later");

	static final SmtpReply NOT_SMTP = new SmtpReply(421, "4.7.0", "This is an SMTP server");

	static final SmtpReply NO_MAIL = new SmtpReply(421, "4.7.0", "Too many commands without a mail");

	static final SmtpReply LOCAL_ERROR = new SmtpReply(451, "4.3.0", "Local error, try again later");

	static final SmtpReply OUT_OF_MEMORY = new SmtpReply(452, "4.3.1",
			"Too many mails are being received, try again later");

	static final SmtpReply TOO_MANY_RECIPIENTS = new SmtpReply(452, "4.5.3", "Too many recipients");

	static final SmtpReply AUTH_UNAVAILABLE = new SmtpReply(454, "4.7.0", "Authentication temporarily unavailable");

	static final SmtpReply LINE_TOO_LONG = new SmtpReply(500, "5.5.2", "Line too long");

	static final SmtpReply CONTROL_CHARACTER = new SmtpReply(500, "5.5.2",
			"Commands end with CR LF and contain no control characters");

	static final SmtpReply UNKNOWN_COMMAND = new SmtpReply(500, "5.5.2", "Unknown command");

	static final SmtpReply BAD_ADDRESS = new SmtpReply(501, "5.1.3", "An address between < and > is required");

	static final SmtpReply NOT_BASE64 = new SmtpReply(501, "5.5.2", "Invalid base64 in the AUTH exchange");

	static final SmtpReply NAME_REQUIRED = new SmtpReply(501, "5.5.4", "A host name is required");

	static final SmtpReply NO_ARGUMENTS = new SmtpReply(501, "5.5.4", "This command takes no arguments");

	static final SmtpReply AUTH_CANCELLED = new SmtpReply(501, "5.7.0", "Authentication cancelled");

	static final SmtpReply NOT_OFFERED = new SmtpReply(502, "5.5.1", "This command is not offered");

	static final SmtpReply BAD_SEQUENCE = new SmtpReply(503, "5.5.1", "Bad sequence of commands");

	static final SmtpReply UNKNOWN_MECHANISM = new SmtpReply(504, "5.5.4",
			"Unknown mechanism; PLAIN and LOGIN are supported");

	static final SmtpReply AUTH_REQUIRED = new SmtpReply(530, "5.7.0", "Authentication required");

	static final SmtpReply TLS_REQUIRED = new SmtpReply(530, "5.7.0", "STARTTLS is required first");

	static final SmtpReply AUTH_FAILED = new SmtpReply(535, "5.7.8", "Unauthorized");

	static final SmtpReply AUTH_NEEDS_TLS = new SmtpReply(538, "5.7.11", "Authentication requires TLS");

	static final SmtpReply TOO_LARGE = new SmtpReply(552, "5.3.4", "Message too large");

	static final SmtpReply NEEDS_SMTPUTF8 = new SmtpReply(553, "5.6.7", "This address requires SMTPUTF8");

	static final SmtpReply TOO_MANY_HOPS = new SmtpReply(554, "5.4.6", "Too many hops, this is probably a mail loop");

	static final SmtpReply NO_RECIPIENT = new SmtpReply(554, "5.5.1", "No valid recipients");

	static final SmtpReply BARE_LINE_END = new SmtpReply(554, "5.6.0",
			"Lines must end with CR LF: a CR or LF alone is refused");

	static final SmtpReply UNKNOWN_PARAMETER = new SmtpReply(555, "5.5.4", "Unknown parameter");

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
