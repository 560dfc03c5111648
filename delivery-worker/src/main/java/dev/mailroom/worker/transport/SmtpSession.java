package dev.mailroom.worker.transport;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

import dev.mailroom.outcome.Outcome;
import dev.mailroom.worker.transport.Reply.Step;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.codec.smtp.DefaultLastSmtpContent;
import io.netty.handler.codec.smtp.LastSmtpContent;
import io.netty.handler.codec.smtp.SmtpRequests;
import reactor.core.publisher.Mono;

/**
 * An open session with a server, ready for one mail after another. A mail's flight is
 * never tried again here.
 */
final class SmtpSession implements Session {

	/** For what is only politeness: leaving a refused mail, and saying goodbye. */
	private static final Duration POLITENESS = Duration.ofSeconds(3);

	/** The server waits for the body. */
	private static final Mono<Optional<Refused>> GO_ON = Mono.just(Optional.empty());

	private final Conversation conversation;

	private final Extensions extensions;

	private final SessionOptions terms;

	private final AtomicInteger mails = new AtomicInteger();

	SmtpSession(Conversation conversation, Extensions extensions, SessionOptions terms) {
		this.conversation = conversation;
		this.extensions = extensions;
		this.terms = terms;
	}

	@Override
	public boolean isOpen() {
		return this.conversation.isOpen();
	}

	/** How many mails were begun on it. */
	int mails() {
		return this.mails.get();
	}

	@Override
	public Mono<HandOverResult> hand(Envelope envelope, byte[] message) {
		return Mono.defer(() -> {
			SmtpTransaction parcel = new SmtpTransaction(envelope, message);
			int mail = this.mails.incrementAndGet();
			if (mail > 1) {
				this.conversation.writeDown(this.conversation.transcript().next(mail));
			}
			Transcript transcript = this.conversation.transcript();
			return parcel.unfit(this.extensions)
				.map(Mono::just)
				.orElseGet(() -> send(parcel))
				.map((outcome) -> new HandOverResult(outcome, transcript.attempt(this.terms.transport())));
		});
	}

	private Mono<Outcome> send(SmtpTransaction parcel) {
		Mono<Optional<Refused>> refused = this.extensions.has("PIPELINING") ? inOneFlight(parcel) : stepByStep(parcel);
		return refused.timeout(this.terms.replyTimeout())
			.doOnError(TimeoutException.class, (_) -> this.conversation.close())
			.onErrorResume((error) -> Mono.just(Optional.of(new Refused(lost(error), Mono.empty()))))
			.flatMap((refusal) -> refusal.map(this::backOut).orElseGet(() -> body(parcel.message())));
	}

	/** Says goodbye. */
	Mono<Void> quit() {
		return this.conversation.ask(polite(), SmtpRequests.quit())
			.onErrorComplete()
			.then(Mono.fromRunnable(this.conversation::close));
	}

	/**
	 * All commands at once (RFC 2920). The first refusal is the reason for the others,
	 * and stands though the server hangs up behind it.
	 */
	private Mono<Optional<Refused>> inOneFlight(SmtpTransaction parcel) {
		List<Mono<Reply>> answers = this.conversation.send(this.terms.replyTimeout(), parcel.mail(this.extensions),
				parcel.rcpt(), SmtpRequests.data());
		Mono<Reply> data = answers.get(2);
		return answers.get(0)
			.flatMap((mail) -> !mail.isPositive() ? refused(mail, Step.MAIL, data)
					: answers.get(1)
						.flatMap((rcpt) -> !rcpt.isPositive() ? refused(rcpt, Step.RCPT, data)
								: data.flatMap((last) -> last.goesOn() ? GO_ON : refused(last, Step.DATA, data))));
	}

	private Mono<Optional<Refused>> stepByStep(SmtpTransaction parcel) {
		return ask(parcel.mail(this.extensions)).flatMap((mail) -> !mail.isPositive()
				? refused(mail, Step.MAIL, Mono.empty())
				: ask(parcel.rcpt()).flatMap(
						(rcpt) -> !rcpt.isPositive() ? refused(rcpt, Step.RCPT, Mono.empty()) : ask(SmtpRequests.data())
							.flatMap((data) -> data.goesOn() ? GO_ON : refused(data, Step.DATA, Mono.empty()))));
	}

	private Mono<Reply> ask(Object command) {
		return this.conversation.ask(this.terms.replyTimeout(), command);
	}

	private static Mono<Optional<Refused>> refused(Reply reply, Step step, Mono<Reply> data) {
		return Mono.just(Optional.of(new Refused(reply.refusal(step), data)));
	}

	/**
	 * The body and its dot in one flush. Once they are out, no answer means that nobody
	 * knows.
	 */
	private Mono<Outcome> body(byte[] message) {
		return Mono.defer(() -> {
			DefaultLastSmtpContent content = new DefaultLastSmtpContent(
					DotStuffing.stuff(UnpooledByteBufAllocator.DEFAULT, message));
			return this.conversation.finish(this.terms.dotTimeout(), content, this::unanswered)
				.map((reply) -> reply.isPositive() ? taken(reply) : reply.refusal(Step.BODY));
		}).onErrorResume((error) -> !(error instanceof AnswerLost), (error) -> Mono.just(lost(error)));
	}

	/** A server that hung up is in the transcript already; one that is silent is not. */
	private AnswerLost unanswered(Throwable error) {
		Transcript transcript = this.conversation.transcript();
		if (error instanceof TimeoutException) {
			transcript.note("no answer to the message came within " + this.terms.dotTimeout().toSeconds() + " s");
		}
		return new AnswerLost(error, transcript.attempt(this.terms.transport()));
	}

	private Outcome taken(Reply reply) {
		return this.terms.last() ? new Outcome.Delivered(reply.text()) : new Outcome.Sent(reply.text());
	}

	/**
	 * Leaves a transaction that a command was refused in. A server that waits for a body
	 * all the same gets an empty one, to nobody.
	 */
	private Mono<Outcome> backOut(Refused refused) {
		return refused.data()
			.map((data) -> data.goesOn() ? LastSmtpContent.EMPTY_LAST_CONTENT : SmtpRequests.rset())
			.defaultIfEmpty(SmtpRequests.rset())
			.flatMap((wayOut) -> this.conversation.ask(polite(), wayOut))
			.timeout(polite())
			.doOnError((_) -> this.conversation.close())
			.onErrorComplete()
			.thenReturn(refused.outcome());
	}

	private Duration polite() {
		Duration patience = this.terms.replyTimeout();
		return (patience.compareTo(POLITENESS) < 0) ? patience : POLITENESS;
	}

	/** A session that ends before the dot is out has taken nothing. */
	private static Outcome lost(Throwable error) {
		return new Outcome.Deferred("451 4.4.2 The session ended before the mail was sent: " + error.getMessage());
	}

	/**
	 * A mail that was refused before its body.
	 *
	 * @param data the answer to DATA where that was asked already; else empty
	 */
	private record Refused(Outcome outcome, Mono<Reply> data) {
	}

}
