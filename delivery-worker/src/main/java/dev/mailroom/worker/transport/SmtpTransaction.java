package dev.mailroom.worker.transport;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.mailroom.outcome.Bounce;
import dev.mailroom.outcome.Outcome;
import io.netty.handler.codec.smtp.DefaultSmtpRequest;
import io.netty.handler.codec.smtp.SmtpCommand;
import io.netty.handler.codec.smtp.SmtpRequest;

/** A mail in its envelope, and what it asks of a server. */
record SmtpTransaction(Envelope envelope, byte[] message) {

	/** Why this server need not be asked; empty where it may take the mail. */
	Optional<Outcome> unfit(Extensions extensions) {
		if (extensions.refuses(this.message.length)) {
			return Optional.of(new Outcome.Bounced(Bounce.Type.SOFT,
					"552 5.3.4 The mail is larger than the server takes: " + this.message.length + " bytes"));
		}
		if (needsUtf8() && !extensions.has("SMTPUTF8")) {
			// It says what the server lacks, and not that nobody is there.
			return Optional.of(new Outcome.Bounced(Bounce.Type.SOFT,
					"553 5.6.7 An address needs SMTPUTF8, which the server does not offer"));
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

	/**
	 * Whether an address can only be said in UTF-8 (RFC 6531): one of the envelope's, or
	 * one that a header shows.
	 */
	private boolean needsUtf8() {
		return this.envelope.needsUtf8() || hasEightBits(headLength());
	}

	private int headLength() {
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

	/** Netty's requests are ASCII; an address in UTF-8 is carried byte by byte. */
	private static SmtpRequest command(String verb, String... parameters) {
		CharSequence[] bytes = new CharSequence[parameters.length];
		for (int i = 0; i < parameters.length; i++) {
			bytes[i] = new String(parameters[i].getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
		}
		return new DefaultSmtpRequest(SmtpCommand.valueOf(verb), bytes);
	}

}
