package dev.mailroom.worker.smtp.client;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import dev.mailroom.mail.outcome.Outcome;
import dev.mailroom.worker.smtp.client.AwaitedReplies.Deadline;
import dev.mailroom.worker.smtp.client.Reply.Stage;
import io.netty.handler.codec.smtp.DefaultLastSmtpContent;
import io.netty.handler.codec.smtp.LastSmtpContent;
import io.netty.handler.codec.smtp.SmtpRequests;
import reactor.core.publisher.Mono;

/** An open session with a server. Transactions are never retried here. */
public final class SmtpSession implements Session {

	/** Limit on replies that do not matter for the outcome: RSET and QUIT. */
	private static final Duration CLEANUP_TIMEOUT = Duration.ofSeconds(3);

	/** The server has replied 354 and expects the message. */
	private static final Mono<Optional<Refusal>> ACCEPTED = Mono.just(Optional.empty());

	private final Conversation conversation;

	private final Extensions extensions;

	private final SessionOptions options;

	private final AtomicInteger mails = new AtomicInteger();

	SmtpSession(Conversation conversation, Extensions extensions, SessionOptions options) {
		this.conversation = conversation;
		this.extensions = extensions;
		this.options = options;
	}

	@Override
	public boolean isOpen() {
		return this.conversation.isOpen();
	}

	/** Number of transactions begun on this session. */
	int mails() {
		return this.mails.get();
	}

	@Override
	public Mono<HandOverResult> hand(Envelope envelope, byte[] message) {
		return Mono.defer(() -> {
			SmtpTransaction transaction = new SmtpTransaction(envelope, message);
			int mail = this.mails.incrementAndGet();
			if (mail > 1) {
				this.conversation.transcript(this.conversation.transcript().next(mail));
			}
			Transcript transcript = this.conversation.transcript();
			return transaction.unsupported(this.extensions)
				.map(Mono::just)
				.orElseGet(() -> send(transaction, mail > 1))
				.map((outcome) -> new HandOverResult(outcome, transcript.attempt(this.options.transport())));
		});
	}

	private Mono<Outcome> send(SmtpTransaction transaction, boolean reused) {
		Deadline deadline = Deadline.in(this.options.replyTimeout());
		AtomicBoolean begun = new AtomicBoolean(!reused);
		Mono<Optional<Refusal>> refusal = this.extensions.has("PIPELINING") ? pipelined(transaction, deadline, begun)
				: stepByStep(transaction, deadline, begun);
		return refusal
			.onErrorResume(
					(error) -> Mono.just(Optional.of(new Refusal(sessionLost(error, begun.get()), Mono.empty()))))
			.flatMap((result) -> result.map(this::abort).orElseGet(() -> sendMessage(transaction.message())));
	}

	/** Sends QUIT and closes the connection. */
	Mono<Void> quit() {
		return this.conversation.send(cleanupTimeout(), SmtpRequests.quit())
			.onErrorComplete()
			.then(Mono.fromRunnable(this.conversation::close));
	}

	/**
	 * Sends MAIL, RCPT and DATA together (RFC 2920). The first refusal determines the
	 * outcome, even if the server closes the connection after it.
	 */
	private Mono<Optional<Refusal>> pipelined(SmtpTransaction transaction, Deadline deadline, AtomicBoolean begun) {
		List<Mono<Reply>> replies = this.conversation.pipeline(deadline, transaction.mail(this.extensions),
				transaction.rcpt(), SmtpRequests.data());
		Mono<Reply> data = replies.get(2);
		return replies.get(0)
			.doOnNext((_) -> begun.set(true))
			.flatMap((mail) -> !mail.isPositive() ? refused(mail, Stage.MAIL, data) : replies.get(1)
				.flatMap((rcpt) -> !rcpt.isPositive() ? refused(rcpt, Stage.RCPT, data)
						: data.flatMap((last) -> last.isIntermediate() ? ACCEPTED : refused(last, Stage.DATA, data))));
	}

	private Mono<Optional<Refusal>> stepByStep(SmtpTransaction transaction, Deadline deadline, AtomicBoolean begun) {
		return this.conversation.send(deadline, transaction.mail(this.extensions))
			.doOnNext((_) -> begun.set(true))
			.flatMap((mail) -> !mail.isPositive() ? refused(mail, Stage.MAIL, Mono.empty()) : this.conversation
				.send(deadline, transaction.rcpt())
				.flatMap((rcpt) -> !rcpt.isPositive() ? refused(rcpt, Stage.RCPT, Mono.empty()) : this.conversation
					.send(deadline, SmtpRequests.data())
					.flatMap((data) -> data.isIntermediate() ? ACCEPTED : refused(data, Stage.DATA, Mono.empty()))));
	}

	private static Mono<Optional<Refusal>> refused(Reply reply, Stage stage, Mono<Reply> data) {
		return Mono.just(Optional.of(new Refusal(reply.refusal(stage), data)));
	}

	/**
	 * Sends the message and the final dot. If no reply follows once they are written, the
	 * outcome is unknown.
	 */
	private Mono<Outcome> sendMessage(byte[] message) {
		return Mono.defer(() -> {
			DefaultLastSmtpContent content = new DefaultLastSmtpContent(DotStuffing.stuff(message));
			return this.conversation.finish(this.options.dotTimeout(), content, this::answerLost)
				.map((reply) -> reply.isPositive() ? accepted(reply) : reply.refusal(Stage.BODY));
		}).onErrorResume((error) -> !(error instanceof AnswerLost), (error) -> Mono.just(sessionLost(error, true)));
	}

	private AnswerLost answerLost(Throwable error) {
		return new AnswerLost(error, this.conversation.transcript().attempt(this.options.transport()));
	}

	private Outcome accepted(Reply reply) {
		return this.options.last() ? new Outcome.Delivered(reply.text()) : new Outcome.Sent(reply.text());
	}

	/**
	 * Ends the transaction after a refusal. If the server has nevertheless accepted DATA,
	 * an empty message is sent, which has no valid recipient.
	 */
	private Mono<Outcome> abort(Refusal refusal) {
		return refusal.data()
			.map((data) -> data.isIntermediate() ? LastSmtpContent.EMPTY_LAST_CONTENT : SmtpRequests.rset())
			.defaultIfEmpty(SmtpRequests.rset())
			.flatMap((command) -> this.conversation.send(cleanupTimeout(), command))
			.timeout(cleanupTimeout())
			.doOnError((_) -> this.conversation.close())
			.onErrorComplete()
			.thenReturn(refusal.outcome());
	}

	private Duration cleanupTimeout() {
		Duration replyTimeout = this.options.replyTimeout();
		return (replyTimeout.compareTo(CLEANUP_TIMEOUT) < 0) ? replyTimeout : CLEANUP_TIMEOUT;
	}

	/**
	 * A session that ends before the final dot is written has not accepted the mail. If a
	 * server closes a session after earlier mails without a reply to MAIL, this mail was
	 * not begun and no attempt counts; the next session begins with it.
	 */
	private static Outcome sessionLost(Throwable error, boolean begun) {
		String reply = "451 4.4.2 The session ended before the mail was sent: " + error.getMessage();
		return (begun || error instanceof TimeoutException) ? new Outcome.Deferred(reply)
				: new Outcome.Unopened(reply, false);
	}

	/**
	 * Refusal before the message was sent.
	 *
	 * @param data reply to a pipelined DATA; empty if DATA was not sent
	 */
	private record Refusal(Outcome outcome, Mono<Reply> data) {
	}

}
