package dev.mailroom.standalone.mailbox;

/** What a server says, with the codes of RFC 5321 and RFC 3463. */
final class SmtpReply {

	static final String OK = "250 2.0.0 Ok";

	static final String SENDER_OK = "250 2.1.0 Ok";

	static final String RECIPIENT_OK = "250 2.1.5 Ok";

	static final String TAKEN = "250 2.6.0 Taken";

	static final String GO_AHEAD = "354 End with a line that holds one dot";

	static final String BYE = "221 2.0.0 Bye";

	static final String TOO_MANY_ERRORS = "421 4.7.0 Too many errors";

	static final String TOO_MANY_RECIPIENTS = "452 4.5.3 Too many recipients";

	static final String LINE_TOO_LONG = "500 5.5.2 Line too long";

	static final String NOT_A_LINE = "500 5.5.2 Lines end with CR LF, and hold neither alone";

	static final String UNKNOWN = "500 5.5.2 Unknown command";

	static final String NOT_AN_ADDRESS = "501 5.1.3 The address stands between < and >";

	static final String NO_GREETING_NAME = "501 5.5.4 Say who you are";

	static final String OUT_OF_ORDER = "503 5.5.1 Not now";

	static final String TOO_LARGE = "552 5.3.4 Too large";

	static final String NEEDS_SMTPUTF8 = "553 5.6.7 This address needs SMTPUTF8";

	static final String BARE_LINE_END = "554 5.6.0 Lines end with CR LF: a CR or LF alone is refused";

	static final String UNKNOWN_PARAMETER = "555 5.5.4 Unknown parameter";

	private SmtpReply() {
	}

}
