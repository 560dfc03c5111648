package dev.mailroom.worker.smtpd;

import java.util.Locale;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * AUTH (RFC 4954): offered where the handler wants it, and where nobody else can hear the
 * password.
 */
final class Authentication {

	private static final int MOST_FAILURES = 3;

	private final SmtpServerOptions terms;

	private final SmtpHandler handler;

	private final SmtpSessionState visit;

	private @Nullable AuthExchange exchange;

	private int failures;

	Authentication(SmtpServerOptions terms, SmtpHandler handler, SmtpSessionState visit) {
		this.terms = terms;
		this.handler = handler;
		this.visit = visit;
	}

	boolean isOffered() {
		return this.handler.wantsSignIn() && (this.visit.isSecured() || this.terms.signInInClear());
	}

	/** Whether the next line belongs to it, and is no command. */
	boolean isUnderWay() {
		return this.exchange != null;
	}

	Step begin(String rest) {
		String mechanism = CommandLine.verb(rest);
		if (!this.handler.wantsSignIn()) {
			return Commands.said(Replies.NOT_OFFERED);
		}
		if (!isOffered()) {
			return Commands.said(Replies.PASSWORD_IN_CLEAR);
		}
		if (!this.visit.isIntroduced() || this.visit.isSignedIn()) {
			return Commands.said(Replies.OUT_OF_ORDER);
		}
		if (!AuthExchange.knows(mechanism)) {
			return Commands.said(Replies.UNKNOWN_MECHANISM);
		}
		AuthExchange begun = new AuthExchange(mechanism.toUpperCase(Locale.ROOT));
		this.exchange = begun;
		String initial = CommandLine.rest(rest);
		return initial.isEmpty() ? challenge(begun) : goOn(initial);
	}

	Step goOn(String line) {
		AuthExchange current = this.exchange;
		if (current == null || line.equals("*")) {
			this.exchange = null;
			return Commands.said(Replies.CANCELLED);
		}
		try {
			current.hear(line);
		}
		catch (IllegalArgumentException _) {
			this.exchange = null;
			return Commands.said(Replies.NOT_BASE64);
		}
		return current.isComplete() ? ask(current) : challenge(current);
	}

	private static Step challenge(AuthExchange current) {
		return new Step.Say(current.challenge() + "\r\n", false);
	}

	private Step ask(AuthExchange complete) {
		this.exchange = null;
		Mono<SmtpReply> question = Mono
			.defer(() -> this.handler.signIn(this.visit.client(), complete.user(), complete.password()))
			.map((scope) -> {
				this.visit.signedIn(scope);
				return Replies.SIGNED_IN;
			})
			.defaultIfEmpty(Replies.NOBODY)
			.onErrorResume((error) -> !(error instanceof SmtpRefused), (_) -> Mono.just(Replies.SIGN_IN_FAILED));
		return new Step.Ask(question, this::answered);
	}

	/** Who guesses has to come again for every few guesses. */
	private Step answered(SmtpReply reply) {
		boolean enough = !reply.isPositive() && ++this.failures == MOST_FAILURES;
		return enough ? new Step.Say(reply + "\r\n" + Replies.TOO_MANY_ERRORS + "\r\n", true) : Commands.said(reply);
	}

}
