package dev.mailroom.standalone.mailbox;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * The server's side of one SMTP session (RFC 5321 with PIPELINING, SIZE, 8BITMIME and
 * SMTPUTF8): bytes in, replies out. Knows nothing of sockets, nor of what becomes of a
 * mail.
 */
final class SmtpConversation {

	private static final int LONGEST_LINE = 2048;

	private static final int MOST_RECIPIENTS = 100;

	private static final int MOST_ERRORS = 20;

	private final Function<SmtpMail, String> handling;

	private final int mostBytes;

	private final ByteArrayOutputStream line = new ByteArrayOutputStream();

	private final StringBuilder replies = new StringBuilder();

	private final List<String> recipients = new ArrayList<>();

	private @Nullable SmtpContent content;

	private @Nullable SmtpPath sender;

	private boolean greeted;

	private boolean over;

	private int errors;

	/**
	 * Begins a session.
	 * @param mostBytes the bytes a mail may have
	 * @param handling takes a mail and says what to reply
	 */
	SmtpConversation(int mostBytes, Function<SmtpMail, String> handling) {
		this.mostBytes = mostBytes;
		this.handling = handling;
	}

	String greeting() {
		return "220 mailroom ESMTP\r\n";
	}

	/**
	 * Takes what the client has sent and returns what to answer, which may be nothing.
	 */
	String hear(byte[] sent) {
		this.replies.setLength(0);
		for (int at = 0; at < sent.length && !this.over; at++) {
			take(sent[at]);
		}
		return this.replies.toString();
	}

	/** Whether the connection is to be closed after the last answer. */
	boolean isOver() {
		return this.over;
	}

	private void take(byte next) {
		if (this.content != null) {
			if (this.content.endsWith(next)) {
				finish(this.content);
			}
			return;
		}
		this.line.write(next);
		if (this.line.size() > LONGEST_LINE) {
			reply(SmtpReply.LINE_TOO_LONG);
			this.over = true;
		}
		else if (next == '\n') {
			String text = this.line.toString(StandardCharsets.UTF_8);
			if (text.endsWith("\r\n")) {
				this.line.reset();
				command(text.substring(0, text.length() - 2));
			}
		}
	}

	private void command(String text) {
		if (text.indexOf('\r') >= 0 || text.indexOf('\n') >= 0 || text.indexOf('\0') >= 0) {
			reply(SmtpReply.NOT_A_LINE);
			return;
		}
		String[] words = text.strip().split(" ", 2);
		String rest = (words.length > 1) ? words[1].strip() : "";
		switch (words[0].toUpperCase(Locale.ROOT)) {
			case "EHLO", "HELO" -> greet(words[0], rest);
			case "MAIL" -> mail(rest);
			case "RCPT" -> recipient(rest);
			case "DATA" -> data();
			case "RSET" -> {
				forget();
				reply(SmtpReply.OK);
			}
			case "NOOP" -> reply(SmtpReply.OK);
			case "QUIT" -> {
				reply(SmtpReply.BYE);
				this.over = true;
			}
			default -> reply(SmtpReply.UNKNOWN);
		}
	}

	private void greet(String verb, String name) {
		if (name.isEmpty()) {
			reply(SmtpReply.NO_GREETING_NAME);
			return;
		}
		forget();
		this.greeted = true;
		if (verb.equalsIgnoreCase("HELO")) {
			reply("250 mailroom");
			return;
		}
		List.of("250-mailroom", "250-PIPELINING", "250-SIZE " + this.mostBytes, "250-8BITMIME",
				"250-ENHANCEDSTATUSCODES", "250 SMTPUTF8")
			.forEach(this::reply);
	}

	private void mail(String rest) {
		SmtpPath path = SmtpPath.parse("FROM:", rest);
		if (!this.greeted || this.sender != null) {
			reply(SmtpReply.OUT_OF_ORDER);
		}
		else if (path == null) {
			reply(SmtpReply.NOT_AN_ADDRESS);
		}
		else if (!path.knowsItsParameters()) {
			reply(SmtpReply.UNKNOWN_PARAMETER);
		}
		else if (path.needsUtf8() && !path.asksForUtf8()) {
			reply(SmtpReply.NEEDS_SMTPUTF8);
		}
		else if (path.size() > this.mostBytes) {
			reply(SmtpReply.TOO_LARGE);
		}
		else {
			this.sender = path;
			reply(SmtpReply.SENDER_OK);
		}
	}

	private void recipient(String rest) {
		SmtpPath path = SmtpPath.parse("TO:", rest);
		if (this.sender == null) {
			reply(SmtpReply.OUT_OF_ORDER);
		}
		else if (path == null || path.address().isEmpty()) {
			reply(SmtpReply.NOT_AN_ADDRESS);
		}
		else if (!path.parameters().isEmpty()) {
			reply(SmtpReply.UNKNOWN_PARAMETER);
		}
		else if (path.needsUtf8() && !this.sender.asksForUtf8()) {
			reply(SmtpReply.NEEDS_SMTPUTF8);
		}
		else if (this.recipients.size() == MOST_RECIPIENTS) {
			reply(SmtpReply.TOO_MANY_RECIPIENTS);
		}
		else {
			this.recipients.add(path.address());
			reply(SmtpReply.RECIPIENT_OK);
		}
	}

	private void data() {
		if (this.recipients.isEmpty()) {
			reply(SmtpReply.OUT_OF_ORDER);
			return;
		}
		this.content = new SmtpContent(this.mostBytes);
		reply(SmtpReply.GO_AHEAD);
	}

	private void finish(SmtpContent whole) {
		if (whole.isTooLarge()) {
			reply(SmtpReply.TOO_LARGE);
		}
		else if (whole.hasBareLineEnd()) {
			reply(SmtpReply.BARE_LINE_END);
		}
		else if (this.sender != null) {
			reply(this.handling.apply(new SmtpMail(this.sender.address(), this.recipients, whole.bytes())));
		}
		forget();
	}

	private void forget() {
		this.sender = null;
		this.recipients.clear();
		this.content = null;
	}

	private void reply(String text) {
		this.replies.append(text).append("\r\n");
		if (text.startsWith("5") && ++this.errors == MOST_ERRORS) {
			this.replies.append(SmtpReply.TOO_MANY_ERRORS).append("\r\n");
			this.over = true;
		}
	}

}
