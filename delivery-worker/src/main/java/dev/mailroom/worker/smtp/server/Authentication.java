package dev.mailroom.worker.smtp.server;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;

import dev.mailroom.Scope;
import dev.mailroom.worker.smtp.server.SmtpHandler.SmtpClient;
import dev.mailroom.worker.smtp.server.SmtpHandler.SmtpRefused;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * AUTH (RFC 4954) with PLAIN (RFC 4616) and LOGIN. It is offered if the handler requires
 * it and the connection is encrypted or may carry passwords without TLS.
 */
final class Authentication {

	private static final int MAX_FAILURES = 3;

	private final SmtpServerOptions options;

	private final SmtpHandler handler;

	private @Nullable Exchange exchange;

	private int failures;

	/** Set on the thread that verified the password. */
	private volatile @Nullable Scope principal;

	Authentication(SmtpServerOptions options, SmtpHandler handler) {
		this.options = options;
		this.handler = handler;
	}

	/** Whether AUTH is offered on a connection with or without TLS. */
	boolean isOffered(boolean tls) {
		return this.handler.requiresAuth() && (tls || this.options.authWithoutTls());
	}

	/** The authenticated account; null before AUTH. */
	@Nullable Scope principal() {
		return this.principal;
	}

	/** Discards what was authenticated before TLS. */
	void reset() {
		this.principal = null;
	}

	/** Whether the next line is a response to a challenge and not a command. */
	boolean isInProgress() {
		return this.exchange != null;
	}

	/** Handles AUTH with its arguments. */
	Action begin(SmtpClient client, String arguments) {
		String mechanism = Dialogue.verb(arguments);
		if (!this.handler.requiresAuth()) {
			return Action.reply(SmtpReply.NOT_OFFERED);
		}
		if (!isOffered(client.tls())) {
			return Action.reply(SmtpReply.AUTH_NEEDS_TLS);
		}
		if (client.helo().isEmpty() || client.principal() != null) {
			return Action.reply(SmtpReply.BAD_SEQUENCE);
		}
		if (!Exchange.supports(mechanism)) {
			return Action.reply(SmtpReply.UNKNOWN_MECHANISM);
		}
		Exchange begun = new Exchange(mechanism.toUpperCase(Locale.ROOT));
		this.exchange = begun;
		String initial = Dialogue.arguments(arguments);
		return initial.isEmpty() ? challenge(begun) : proceed(client, initial);
	}

	/** Handles a line of the client's response. */
	Action proceed(SmtpClient client, String line) {
		Exchange current = this.exchange;
		if (current == null || line.equals("*")) {
			this.exchange = null;
			return Action.reply(SmtpReply.AUTH_CANCELLED);
		}
		try {
			current.accept(line);
		}
		catch (IllegalArgumentException _) {
			this.exchange = null;
			return Action.reply(SmtpReply.NOT_BASE64);
		}
		return current.isComplete() ? verify(client, current) : challenge(current);
	}

	private static Action challenge(Exchange current) {
		return new Action.Send(current.challenge() + "\r\n", false);
	}

	private Action verify(SmtpClient client, Exchange complete) {
		this.exchange = null;
		Mono<SmtpReply> result = Mono.defer(() -> this.handler.signIn(client, complete.user(), complete.password()))
			.map((scope) -> {
				this.principal = scope;
				return SmtpReply.AUTHENTICATED;
			})
			.defaultIfEmpty(SmtpReply.AUTH_FAILED)
			.onErrorResume((error) -> !(error instanceof SmtpRefused), (_) -> Mono.just(SmtpReply.AUTH_UNAVAILABLE));
		return new Action.Call(result, this::verified);
	}

	/** Closes the connection after several failures. */
	private Action verified(SmtpReply reply) {
		boolean last = !reply.isPositive() && ++this.failures == MAX_FAILURES;
		return last ? new Action.Send(reply + "\r\n" + SmtpReply.TOO_MANY_ERRORS + "\r\n", true) : Action.reply(reply);
	}

	/** Challenges and responses of one AUTH command. */
	private static final class Exchange {

		private static final String PLAIN = "PLAIN";

		private static final String LOGIN = "LOGIN";

		private final String mechanism;

		private @Nullable String user;

		private @Nullable String password;

		Exchange(String mechanism) {
			this.mechanism = mechanism;
		}

		static boolean supports(String mechanism) {
			return mechanism.equals(PLAIN) || mechanism.equals(LOGIN);
		}

		String challenge() {
			if (this.mechanism.equals(PLAIN)) {
				return "334 ";
			}
			String prompt = (this.user == null) ? "Username:" : "Password:";
			return "334 " + Base64.getEncoder().encodeToString(prompt.getBytes(StandardCharsets.US_ASCII));
		}

		/**
		 * Reads the client's response to the challenge.
		 * @throws IllegalArgumentException if it is malformed
		 */
		void accept(String line) {
			String response = new String(Base64.getDecoder().decode(line.equals("=") ? "" : line),
					StandardCharsets.UTF_8);
			if (this.mechanism.equals(PLAIN)) {
				String[] parts = response.split("\0", -1);
				if (parts.length != 3) {
					throw new IllegalArgumentException("A PLAIN response has three parts");
				}
				this.user = parts[1];
				this.password = parts[2];
			}
			else if (this.user == null) {
				this.user = response;
			}
			else {
				this.password = response;
			}
		}

		boolean isComplete() {
			return this.password != null;
		}

		String user() {
			return (this.user != null) ? this.user : "";
		}

		String password() {
			return (this.password != null) ? this.password : "";
		}

	}

}
