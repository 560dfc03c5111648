package dev.mailroom.worker.smtp.server;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;

import dev.mailroom.worker.smtp.server.Dialogue.Action;
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

	private final SmtpSessionState session;

	private @Nullable Exchange exchange;

	private int failures;

	Authentication(SmtpServerOptions options, SmtpHandler handler, SmtpSessionState session) {
		this.options = options;
		this.handler = handler;
		this.session = session;
	}

	boolean isOffered() {
		return this.handler.requiresAuth() && (this.session.isSecured() || this.options.authWithoutTls());
	}

	/** Whether the next line is a response to a challenge and not a command. */
	boolean isInProgress() {
		return this.exchange != null;
	}

	/** Handles AUTH with its arguments. */
	Action begin(String arguments) {
		String mechanism = CommandLine.verb(arguments);
		if (!this.handler.requiresAuth()) {
			return Action.reply(Replies.NOT_OFFERED);
		}
		if (!isOffered()) {
			return Action.reply(Replies.AUTH_NEEDS_TLS);
		}
		if (!this.session.isIntroduced() || this.session.isAuthenticated()) {
			return Action.reply(Replies.BAD_SEQUENCE);
		}
		if (!Exchange.supports(mechanism)) {
			return Action.reply(Replies.UNKNOWN_MECHANISM);
		}
		Exchange begun = new Exchange(mechanism.toUpperCase(Locale.ROOT));
		this.exchange = begun;
		String initial = CommandLine.arguments(arguments);
		return initial.isEmpty() ? challenge(begun) : proceed(initial);
	}

	/** Handles a line of the client's response. */
	Action proceed(String line) {
		Exchange current = this.exchange;
		if (current == null || line.equals("*")) {
			this.exchange = null;
			return Action.reply(Replies.AUTH_CANCELLED);
		}
		try {
			current.accept(line);
		}
		catch (IllegalArgumentException _) {
			this.exchange = null;
			return Action.reply(Replies.NOT_BASE64);
		}
		return current.isComplete() ? verify(current) : challenge(current);
	}

	private static Action challenge(Exchange current) {
		return new Action.Send(current.challenge() + "\r\n", false);
	}

	private Action verify(Exchange complete) {
		this.exchange = null;
		Mono<SmtpReply> result = Mono
			.defer(() -> this.handler.signIn(this.session.client(), complete.user(), complete.password()))
			.map((scope) -> {
				this.session.authenticated(scope);
				return Replies.AUTHENTICATED;
			})
			.defaultIfEmpty(Replies.AUTH_FAILED)
			.onErrorResume((error) -> !(error instanceof SmtpRefused), (_) -> Mono.just(Replies.AUTH_UNAVAILABLE));
		return new Action.Call(result, this::verified);
	}

	/** Closes the connection after several failures. */
	private Action verified(SmtpReply reply) {
		boolean last = !reply.isPositive() && ++this.failures == MAX_FAILURES;
		return last ? new Action.Send(reply + "\r\n" + Replies.TOO_MANY_ERRORS + "\r\n", true) : Action.reply(reply);
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
