package dev.mailroom.worker.transport;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;

import io.netty.handler.codec.smtp.DefaultSmtpRequest;
import io.netty.handler.codec.smtp.SmtpCommand;
import io.netty.handler.codec.smtp.SmtpRequest;
import io.netty.handler.codec.smtp.SmtpRequests;
import reactor.core.publisher.Mono;

/** Signing in to a server (RFC 4954), as this user. */
record SmtpAuth(String user, String password) {

	/** Signs in by whichever way the server offers, and never in the clear by chance. */
	Mono<Extensions> to(Conversation conversation, Extensions extensions, TlsMode tls, Duration patience) {
		if (tls == TlsMode.STARTTLS && !conversation.isEncrypted()) {
			return Mono.error(new IOException("The server offers no TLS, and a password is not sent without it: set "
					+ "MAILROOM_RELAY_TLS to none if that is wanted"));
		}
		if (extensions.mechanisms().contains("PLAIN")) {
			String both = base64("\0" + this.user + "\0" + this.password);
			return SessionOpener.positive(conversation.ask(patience, SmtpRequests.auth("PLAIN", both)))
				.thenReturn(extensions);
		}
		if (extensions.mechanisms().contains("LOGIN")) {
			return conversation.ask(patience, SmtpRequests.auth("LOGIN"))
				.then(Mono.defer(() -> conversation.ask(patience, line(base64(this.user)))))
				.then(Mono.defer(() -> SessionOpener.positive(conversation.ask(patience, line(base64(this.password))))))
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

}
