package dev.mailroom.worker.smtpd;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Each command and what it does (RFC 5321, with PIPELINING, SIZE, 8BITMIME, SMTPUTF8,
 * STARTTLS and AUTH), in the order in which they are allowed.
 */
final class Commands {

	private final SmtpServerOptions terms;

	private final SmtpHandler handler;

	private final SmtpSessionState visit;

	private final Authentication signingIn;

	private final List<String> recipients = new ArrayList<>();

	private @Nullable Path sender;

	Commands(SmtpServerOptions terms, SmtpHandler handler, SmtpSessionState visit) {
		this.terms = terms;
		this.handler = handler;
		this.visit = visit;
		this.signingIn = new Authentication(terms, handler, visit);
	}

	/** Whether extensions allow this line to be longer than others. */
	boolean mayBeLong(String line) {
		return this.signingIn.isUnderWay() || List.of("MAIL", "RCPT", "AUTH").contains(CommandLine.verb(line));
	}

	Act act(String line) {
		if (this.signingIn.isUnderWay()) {
			return new Act.Next(this.signingIn.goOn(line));
		}
		if (line.chars().anyMatch((character) -> character < ' ' && character != '\t')) {
			return new Act.Next(said(Replies.NOT_A_LINE));
		}
		String verb = CommandLine.verb(line);
		String rest = CommandLine.rest(line);
		return verb.equals("DATA") ? data(rest) : new Act.Next(step(verb, rest));
	}

	private Step step(String verb, String rest) {
		return switch (verb) {
			case "EHLO", "HELO" -> greet(verb, rest);
			case "STARTTLS" -> encrypt(rest);
			case "AUTH" -> (this.sender != null) ? said(Replies.OUT_OF_ORDER) : this.signingIn.begin(rest);
			case "MAIL" -> mail(rest);
			case "RCPT" -> recipient(rest);
			case "RSET" -> {
				forget();
				yield said(Replies.OK);
			}
			case "NOOP" -> said(Replies.OK);
			case "VRFY" -> said(Replies.NOT_VERIFIED);
			case "HELP" -> said(Replies.HELP);
			case "QUIT" -> new Step.Say(Replies.BYE + "\r\n", true);
			default -> said(Replies.UNKNOWN);
		};
	}

	private Step greet(String verb, String name) {
		if (name.isEmpty()) {
			return said(Replies.NO_GREETING_NAME);
		}
		forget();
		this.visit.introduced(name);
		if (verb.equals("HELO")) {
			return new Step.Say("250 " + this.terms.name() + "\r\n", false);
		}
		List<String> offers = new ArrayList<>(List.of(this.terms.name(), "PIPELINING", "SIZE " + this.terms.mostBytes(),
				"8BITMIME", "ENHANCEDSTATUSCODES"));
		if (this.terms.tls() != null && !this.visit.isSecured()) {
			offers.add("STARTTLS");
		}
		if (this.signingIn.isOffered()) {
			offers.add("AUTH PLAIN LOGIN");
		}
		return new Step.Say("250-" + String.join("\r\n250-", offers) + "\r\n250 SMTPUTF8\r\n", false);
	}

	private Step encrypt(String rest) {
		if (this.terms.tls() == null) {
			return said(Replies.NOT_OFFERED);
		}
		if (this.visit.isSecured()) {
			return said(Replies.OUT_OF_ORDER);
		}
		return rest.isEmpty() ? new Step.Encrypt(Replies.READY_FOR_TLS + "\r\n") : said(Replies.NO_ARGUMENT);
	}

	private Step mail(String rest) {
		Path path = Path.parse("FROM:", rest);
		SmtpReply wrong = wrongSender(path);
		if (wrong != null || path == null) {
			return said((wrong != null) ? wrong : Replies.NOT_AN_ADDRESS);
		}
		return new Step.Ask(Mono.defer(() -> this.handler.sender(this.visit.client(), path.address())), (reply) -> {
			this.sender = reply.isPositive() ? path : null;
			return said(reply);
		});
	}

	private @Nullable SmtpReply wrongSender(@Nullable Path path) {
		if (!this.visit.isIntroduced() || this.sender != null) {
			return Replies.OUT_OF_ORDER;
		}
		if (this.handler.wantsSignIn() && !this.visit.isSignedIn()) {
			return this.signingIn.isOffered() ? Replies.SIGN_IN_FIRST : Replies.ENCRYPT_FIRST;
		}
		if (path == null) {
			return Replies.NOT_AN_ADDRESS;
		}
		if (!path.knowsItsParameters()) {
			return Replies.UNKNOWN_PARAMETER;
		}
		if (path.needsUtf8() && !path.asksForUtf8()) {
			return Replies.NEEDS_SMTPUTF8;
		}
		return (path.size() > this.terms.mostBytes()) ? Replies.TOO_LARGE : null;
	}

	private Step recipient(String rest) {
		Path path = Path.parse("TO:", rest);
		Path from = this.sender;
		if (from == null) {
			return said(Replies.OUT_OF_ORDER);
		}
		if (path == null || path.address().isEmpty()) {
			return said(Replies.NOT_AN_ADDRESS);
		}
		if (!path.parameters().isEmpty()) {
			return said(Replies.UNKNOWN_PARAMETER);
		}
		if (path.needsUtf8() && !from.asksForUtf8()) {
			return said(Replies.NEEDS_SMTPUTF8);
		}
		if (this.recipients.size() == this.terms.mostRecipients()) {
			return said(Replies.TOO_MANY_RECIPIENTS);
		}
		return new Step.Ask(Mono.defer(() -> this.handler.recipient(this.visit.client(), from.address(),
				List.copyOf(this.recipients), path.address())), (reply) -> {
					if (reply.isPositive()) {
						this.recipients.add(path.address());
					}
					return said(reply);
				});
	}

	private Act data(String rest) {
		if (!rest.isEmpty()) {
			return new Act.Next(said(Replies.NO_ARGUMENT));
		}
		if (this.recipients.isEmpty()) {
			return new Act.Next(said((this.sender != null) ? Replies.NO_RECIPIENT : Replies.OUT_OF_ORDER));
		}
		return new Act.Begin();
	}

	/** The mail whose content this is. */
	SmtpMail mail(byte[] content) {
		return new SmtpMail(this.visit.client(), Objects.requireNonNull(this.sender).address(), this.recipients,
				content);
	}

	/** Forgets the mail that was begun. */
	void forget() {
		this.sender = null;
		this.recipients.clear();
	}

	void secured() {
		forget();
		this.visit.secured();
	}

	static Step said(SmtpReply reply) {
		return new Step.Say(reply + "\r\n", false);
	}

	/** What a command leads to. */
	sealed interface Act {

		/** A mail's content follows. */
		record Begin() implements Act {
		}

		/** Something else. */
		record Next(Step step) implements Act {
		}

	}

}
