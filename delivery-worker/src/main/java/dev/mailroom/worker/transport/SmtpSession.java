package dev.mailroom.worker.transport;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

import dev.mailroom.outcome.Outcome;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.codec.smtp.DefaultLastSmtpContent;
import io.netty.handler.codec.smtp.DefaultSmtpRequest;
import io.netty.handler.codec.smtp.LastSmtpContent;
import io.netty.handler.codec.smtp.SmtpCommand;
import io.netty.handler.codec.smtp.SmtpRequest;
import io.netty.handler.codec.smtp.SmtpRequests;
import reactor.core.publisher.Mono;

/**
 * An open session with a server, ready for one mail after another. A mail's flight is
 * never tried again here.
 */
public final class SmtpSession {

	/** The server waits for the body. */
	private static final Mono<Optional<Outcome>> GO_ON = Mono.just(Optional.empty());

	private final Conversation conversation;

	private final Extensions extensions;

	private final RelaySettings settings;

	SmtpSession(Conversation conversation, Extensions extensions, RelaySettings settings) {
		this.conversation = conversation;
		this.extensions = extensions;
		this.settings = settings;
	}

	/** Whether another mail can go over it. */
	public boolean isOpen() {
		return this.conversation.isOpen();
	}

	/**
	 * Hands a mail over.
	 * @param message whole lines, each ended by CRLF
	 * @return what the server made of it; {@link AnswerLost} where nobody knows
	 */
	public Mono<Outcome> hand(Envelope envelope, byte[] message) {
		if (this.extensions.refuses(message.length)) {
			return Mono.just(new Outcome.Bounced(false,
					"552 5.3.4 The mail is larger than the server takes: " + message.length + " bytes"));
		}
		if (envelope.needsUtf8() && !this.extensions.has("SMTPUTF8")) {
			return Mono.just(
					new Outcome.Bounced(true, "553 5.6.7 The address needs SMTPUTF8, which the server does not offer"));
		}
		SmtpRequest mail = mail(envelope, message);
		SmtpRequest rcpt = command("RCPT", "TO:<" + envelope.recipient() + ">");
		Mono<Optional<Outcome>> refused = this.extensions.has("PIPELINING") ? inOneFlight(mail, rcpt)
				: stepByStep(mail, rcpt);
		return refused.timeout(this.settings.replyTimeout())
			.doOnError(TimeoutException.class, (_) -> this.conversation.close())
			.onErrorResume(SmtpSession::lost)
			.flatMap((outcome) -> outcome.map(Mono::just).orElseGet(() -> body(message)));
	}

	/** Says goodbye. */
	Mono<Void> quit() {
		return this.conversation.ask(this.settings.replyTimeout(), SmtpRequests.quit())
			.onErrorComplete()
			.then(Mono.fromRunnable(this.conversation::close));
	}

	/** All commands at once (RFC 2920). */
	private Mono<Optional<Outcome>> inOneFlight(SmtpRequest mail, SmtpRequest rcpt) {
		return Mono.defer(() -> {
			List<Mono<Reply>> answers = this.conversation.send(this.settings.replyTimeout(), mail, rcpt,
					SmtpRequests.data());
			Mono<Flight> flight = answers.get(0)
				.flatMap((first) -> answers.get(1)
					.flatMap((second) -> answers.get(2).map((third) -> new Flight(first, second, third))));
			return flight.flatMap((all) -> all.mayGoOn() ? GO_ON : backOut(all).map(Optional::of));
		});
	}

	private Mono<Optional<Outcome>> stepByStep(SmtpRequest mail, SmtpRequest rcpt) {
		return step(mail,
				(afterMail) -> afterMail.isPositive()
						? step(rcpt,
								(afterRcpt) -> afterRcpt.isPositive()
										? step(SmtpRequests.data(),
												(afterData) -> afterData.goesOn() ? GO_ON
														: reset(afterData.refusal(false)).map(Optional::of))
										: reset(afterRcpt.refusal(true)).map(Optional::of))
						: reset(afterMail.refusal(false)).map(Optional::of));
	}

	private Mono<Optional<Outcome>> step(SmtpRequest command, Function<Reply, Mono<Optional<Outcome>>> next) {
		return this.conversation.ask(this.settings.replyTimeout(), command).flatMap(next);
	}

	/**
	 * The body and its dot in one flush. From here on, no answer means that nobody knows.
	 */
	private Mono<Outcome> body(byte[] message) {
		return Mono.defer(() -> {
			DefaultLastSmtpContent content = new DefaultLastSmtpContent(
					DotStuffing.stuff(UnpooledByteBufAllocator.DEFAULT, message));
			return this.conversation.ask(this.settings.dotTimeout(), content)
				.onErrorMap(AnswerLost::new)
				.map((reply) -> reply.isPositive() ? taken(reply) : reply.refusal(false));
		});
	}

	private Outcome taken(Reply reply) {
		return this.settings.last() ? new Outcome.Delivered(reply.text()) : new Outcome.Sent(reply.text());
	}

	/** Leaves a transaction that one of the flight's commands was refused in. */
	private Mono<Outcome> backOut(Flight flight) {
		Outcome refusal = flight.refusal();
		if (!flight.data().goesOn()) {
			return reset(refusal);
		}
		// The server waits for a body all the same: an empty one to nobody ends it.
		return this.conversation.ask(this.settings.replyTimeout(), LastSmtpContent.EMPTY_LAST_CONTENT)
			.thenReturn(refusal)
			.onErrorReturn(refusal);
	}

	private Mono<Outcome> reset(Outcome outcome) {
		return this.conversation.isOpen() ? this.conversation.ask(this.settings.replyTimeout(), SmtpRequests.rset())
			.thenReturn(outcome)
			.onErrorReturn(outcome) : Mono.just(outcome);
	}

	/** A session that ends before the body was begun has taken nothing. */
	private static Mono<Optional<Outcome>> lost(Throwable error) {
		return Mono.just(Optional
			.of(new Outcome.Deferred("451 4.4.2 The session ended before the mail was sent: " + error.getMessage())));
	}

	private SmtpRequest mail(Envelope envelope, byte[] message) {
		List<String> parameters = new ArrayList<>(List.of("FROM:<" + envelope.mailFrom() + ">"));
		if (this.extensions.has("SIZE")) {
			parameters.add("SIZE=" + message.length);
		}
		if (this.extensions.has("8BITMIME") && hasEightBits(message)) {
			parameters.add("BODY=8BITMIME");
		}
		if (envelope.needsUtf8()) {
			parameters.add("SMTPUTF8");
		}
		return command("MAIL", parameters.toArray(String[]::new));
	}

	private static boolean hasEightBits(byte[] message) {
		for (byte octet : message) {
			if (octet < 0) {
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

	private record Flight(Reply mail, Reply rcpt, Reply data) {

		boolean mayGoOn() {
			return this.mail.isPositive() && this.rcpt.isPositive() && this.data.goesOn();
		}

		/** The first refusal is the reason for the others. */
		Outcome refusal() {
			if (!this.mail.isPositive()) {
				return this.mail.refusal(false);
			}
			return this.rcpt.isPositive() ? this.data.refusal(false) : this.rcpt.refusal(true);
		}

	}

}
