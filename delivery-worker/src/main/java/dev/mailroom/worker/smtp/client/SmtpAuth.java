package dev.mailroom.worker.smtp.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;

import io.netty.handler.codec.smtp.DefaultSmtpRequest;
import io.netty.handler.codec.smtp.SmtpCommand;
import io.netty.handler.codec.smtp.SmtpRequest;
import io.netty.handler.codec.smtp.SmtpRequests;
import reactor.core.publisher.Mono;

/** Credentials for AUTH (RFC 4954). */
public record SmtpAuth(String user, String password) {

	/**
	 * Authenticates with PLAIN, or else LOGIN. With {@link TlsMode#STARTTLS} the password
	 * is not sent unless the connection is encrypted.
	 */
	Mono<Extensions> authenticate(Conversation conversation, Extensions extensions, TlsMode tls, Duration timeout) {
		if (tls == TlsMode.STARTTLS && !conversation.isEncrypted()) {
			return Mono.error(new IOException("The server offers no TLS and the password is not sent without it: set "
					+ "MAILROOM_RELAY_TLS to none to permit that"));
		}
		if (extensions.mechanisms().contains("PLAIN")) {
			String credentials = base64("\0" + this.user + "\0" + this.password);
			return SessionOpener.positive(conversation.send(timeout, SmtpRequests.auth("PLAIN", credentials)))
				.thenReturn(extensions);
		}
		if (extensions.mechanisms().contains("LOGIN")) {
			return conversation.send(timeout, SmtpRequests.auth("LOGIN"))
				.then(Mono.defer(() -> conversation.send(timeout, line(base64(this.user)))))
				.then(Mono.defer(() -> SessionOpener.positive(conversation.send(timeout, line(base64(this.password))))))
				.thenReturn(extensions);
		}
		return Mono.error(new IOException("The server offers neither AUTH PLAIN nor AUTH LOGIN"));
	}

	private static SmtpRequest line(String text) {
		return new DefaultSmtpRequest(SmtpCommand.valueOf(text));
	}

	private static String base64(String text) {
		return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
	}

	/** Leaves the password out. */
	@Override
	public String toString() {
		return "SmtpAuth[user=" + this.user + "]";
	}

}
