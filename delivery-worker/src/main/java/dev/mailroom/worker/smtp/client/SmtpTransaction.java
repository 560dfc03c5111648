package dev.mailroom.worker.smtp.client;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.mailroom.mail.outcome.Bounce;
import dev.mailroom.mail.outcome.Outcome;
import io.netty.handler.codec.smtp.DefaultSmtpRequest;
import io.netty.handler.codec.smtp.SmtpCommand;
import io.netty.handler.codec.smtp.SmtpRequest;

/** Commands of one transaction and the extensions that it requires. */
record SmtpTransaction(Envelope envelope, byte[] message) {

	/**
	 * Outcome of a mail that the server cannot accept according to its extensions; empty
	 * if it may. Missing SMTPUTF8 is a soft bounce: it does not mean that the mailbox
	 * does not exist.
	 */
	Optional<Outcome> unsupported(Extensions extensions) {
		if (extensions.refuses(this.message.length)) {
			return Optional.of(new Outcome.Bounced(Bounce.Type.SOFT,
					"552 5.3.4 The mail exceeds the server's size limit: " + this.message.length + " bytes"));
		}
		if (needsUtf8() && !extensions.has("SMTPUTF8")) {
			return Optional.of(new Outcome.Bounced(Bounce.Type.SOFT,
					"553 5.6.7 An address requires SMTPUTF8, which the server does not offer"));
		}
		return Optional.empty();
	}

	SmtpRequest mail(Extensions extensions) {
		List<String> parameters = new ArrayList<>(List.of("FROM:<" + this.envelope.mailFrom() + ">"));
		if (extensions.has("SIZE")) {
			parameters.add("SIZE=" + this.message.length);
		}
		if (extensions.has("8BITMIME") && hasEightBits(this.message.length)) {
			parameters.add("BODY=8BITMIME");
		}
		if (needsUtf8()) {
			parameters.add("SMTPUTF8");
		}
		return command("MAIL", parameters.toArray(String[]::new));
	}

	SmtpRequest rcpt() {
		return command("RCPT", "TO:<" + this.envelope.recipient() + ">");
	}

	/** Whether an address of the envelope or the header is not ASCII (RFC 6531). */
	private boolean needsUtf8() {
		return this.envelope.needsUtf8() || hasEightBits(headerLength());
	}

	private int headerLength() {
		for (int i = 0; i + 3 < this.message.length; i++) {
			if (this.message[i] == '\r' && this.message[i + 1] == '\n' && this.message[i + 2] == '\r'
					&& this.message[i + 3] == '\n') {
				return i;
			}
		}
		return this.message.length;
	}

	private boolean hasEightBits(int length) {
		for (int i = 0; i < length; i++) {
			if (this.message[i] < 0) {
				return true;
			}
		}
		return false;
	}

	/** Netty encodes requests as ASCII, so that UTF-8 is passed on byte by byte. */
	private static SmtpRequest command(String verb, String... parameters) {
		CharSequence[] bytes = new CharSequence[parameters.length];
		for (int i = 0; i < parameters.length; i++) {
			bytes[i] = new String(parameters[i].getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
		}
		return new DefaultSmtpRequest(SmtpCommand.valueOf(verb), bytes);
	}

}
