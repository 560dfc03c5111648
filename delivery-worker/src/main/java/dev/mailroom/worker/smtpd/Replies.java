package dev.mailroom.worker.smtpd;

/** What the protocol itself says. */
final class Replies {

	static final SmtpReply OK = new SmtpReply(250, "2.0.0", "Ok");

	static final SmtpReply BYE = new SmtpReply(221, "2.0.0", "Bye");

	static final SmtpReply READY_FOR_TLS = new SmtpReply(220, "2.0.0", "Begin TLS");

	static final SmtpReply SIGNED_IN = new SmtpReply(235, "2.7.0", "Signed in");

	static final SmtpReply NOT_VERIFIED = new SmtpReply(252, "2.5.2", "Not verified; send and see");

	static final SmtpReply HELP = new SmtpReply(214, "2.0.0", "RFC 5321 tells the rest");

	static final String GO_AHEAD = "354 End with a line that holds one dot";

	static final SmtpReply STOPPING = new SmtpReply(421, "4.3.2", "Going down; come again");

	static final SmtpReply TOO_SLOW = new SmtpReply(421, "4.4.2", "Too slow");

	static final SmtpReply TOO_MANY_ERRORS = new SmtpReply(421, "4.7.0", "Too many errors");

	static final SmtpReply TOO_MANY_CONNECTIONS = new SmtpReply(421, "4.7.0", "Too many connections; come again");

	static final SmtpReply FAILED = new SmtpReply(451, "4.3.0", "This cannot be done at present; come again");

	static final SmtpReply NO_ROOM = new SmtpReply(452, "4.3.1", "Too much mail is under way; come again");

	static final SmtpReply TOO_MANY_RECIPIENTS = new SmtpReply(452, "4.5.3", "Too many recipients");

	static final SmtpReply SIGN_IN_FAILED = new SmtpReply(454, "4.7.0", "Signing in is not possible at present");

	static final SmtpReply LINE_TOO_LONG = new SmtpReply(500, "5.5.2", "Line too long");

	static final SmtpReply NOT_A_LINE = new SmtpReply(500, "5.5.2",
			"Lines end with CR LF, and hold no control characters");

	static final SmtpReply UNKNOWN = new SmtpReply(500, "5.5.2", "Unknown command");

	static final SmtpReply NOT_AN_ADDRESS = new SmtpReply(501, "5.1.3", "The address stands between < and >");

	static final SmtpReply NOT_BASE64 = new SmtpReply(501, "5.5.2", "This is not base64 as AUTH has it");

	static final SmtpReply NO_GREETING_NAME = new SmtpReply(501, "5.5.4", "Say who you are");

	static final SmtpReply NO_ARGUMENT = new SmtpReply(501, "5.5.4", "Nothing follows this command");

	static final SmtpReply CANCELLED = new SmtpReply(501, "5.7.0", "Signing in was cancelled");

	static final SmtpReply NOT_OFFERED = new SmtpReply(502, "5.5.1", "This is not offered");

	static final SmtpReply OUT_OF_ORDER = new SmtpReply(503, "5.5.1", "Not now");

	static final SmtpReply UNKNOWN_MECHANISM = new SmtpReply(504, "5.5.4", "PLAIN and LOGIN are known");

	static final SmtpReply SIGN_IN_FIRST = new SmtpReply(530, "5.7.0", "Sign in first");

	static final SmtpReply ENCRYPT_FIRST = new SmtpReply(530, "5.7.0", "Begin with STARTTLS");

	static final SmtpReply NOBODY = new SmtpReply(535, "5.7.8", "Unauthorized");

	static final SmtpReply PASSWORD_IN_CLEAR = new SmtpReply(538, "5.7.11", "Signing in needs TLS");

	static final SmtpReply TOO_LARGE = new SmtpReply(552, "5.3.4", "Too large");

	static final SmtpReply NEEDS_SMTPUTF8 = new SmtpReply(553, "5.6.7", "This address needs SMTPUTF8");

	static final SmtpReply TOO_MANY_HOPS = new SmtpReply(554, "5.4.6", "Too many hops: this mail goes in circles");

	static final SmtpReply NO_RECIPIENT = new SmtpReply(554, "5.5.1", "No recipient was taken");

	static final SmtpReply BARE_LINE_END = new SmtpReply(554, "5.6.0",
			"Lines end with CR LF: a CR or LF alone is refused");

	static final SmtpReply UNKNOWN_PARAMETER = new SmtpReply(555, "5.5.4", "Unknown parameter");

	private Replies() {
	}

}
