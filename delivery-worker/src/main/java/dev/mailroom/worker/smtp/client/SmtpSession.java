package dev.mailroom.worker.smtp.client;

import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import dev.mailroom.mail.outcome.Bounce.Command;
import dev.mailroom.mail.outcome.Bounce;
import dev.mailroom.mail.outcome.Outcome;
import dev.mailroom.worker.smtp.client.Conversation.Deadline;
import dev.mailroom.worker.smtp.client.Conversation.Reply;
import dev.mailroom.worker.smtp.client.Session.AnswerLost;
import dev.mailroom.worker.smtp.client.Session.Envelope;
import dev.mailroom.worker.smtp.client.Session.HandOverResult;
import dev.mailroom.worker.smtp.client.SessionOpener.SessionOptions;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.smtp.DefaultLastSmtpContent;
import io.netty.handler.codec.smtp.DefaultSmtpRequest;
import io.netty.handler.codec.smtp.LastSmtpContent;
import io.netty.handler.codec.smtp.SmtpCommand;
import io.netty.handler.codec.smtp.SmtpRequest;
import io.netty.handler.codec.smtp.SmtpRequests;
import reactor.core.publisher.Mono;

/** An open session with a server. Transactions are never retried here. */
final class SmtpSession implements Session {

	/** Limit on replies that do not matter for the outcome: RSET and QUIT. */
	private static final Duration CLEANUP_TIMEOUT = Duration.ofSeconds(3);

	/** The server has replied 354 and expects the message. */
	private static final Mono<Optional<Rejection>> ACCEPTED = Mono.just(Optional.empty());

	private final Conversation conversation;

	private final Extensions extensions;

	private final SessionOptions options;

	private final AtomicInteger mails = new AtomicInteger();

	/** Whether the opening belongs to an earlier use, perhaps one without a mail. */
	private volatile boolean pooled;

	SmtpSession(Conversation conversation, Extensions extensions, SessionOptions options) {
		this.conversation = conversation;
		this.extensions = extensions;
		this.options = options;
	}

	@Override
	public boolean isOpen() {
		return this.conversation.isOpen();
	}

	boolean isEncrypted() {
		return this.conversation.isEncrypted();
	}

	/** The certificate that the server has presented; empty without TLS. */
	Optional<X509Certificate> certificate() {
		return this.conversation.certificate();
	}

	/** Notes that the session returns to the pool. */
	void pooled() {
		this.pooled = true;
	}

	/** Number of transactions begun on this session. */
	int mails() {
		return this.mails.get();
	}

	@Override
	public Mono<HandOverResult> hand(Envelope envelope, byte[] message) {
		return Mono.defer(() -> {
			Transaction transaction = new Transaction(envelope, message);
			int mail = this.mails.incrementAndGet();
			boolean reused = mail > 1 || this.pooled;
			if (reused) {
				this.conversation.transcript(this.conversation.transcript().next(mail));
			}
			Transcript transcript = this.conversation.transcript();
			return transaction.unsupported(this.extensions)
				.map(Mono::just)
				.orElseGet(() -> send(transaction, reused))
				.map((outcome) -> new HandOverResult(outcome, transcript.attempt(this.options.transport())));
		});
	}

	private Mono<Outcome> send(Transaction transaction, boolean reused) {
		Deadline deadline = Deadline.in(this.options.replyTimeout());
		AtomicBoolean begun = new AtomicBoolean(!reused);
		Mono<Optional<Rejection>> rejection = this.extensions.has("PIPELINING")
				? pipelined(transaction, deadline, begun) : stepByStep(transaction, deadline, begun);
		return rejection
			.onErrorResume(
					(error) -> Mono.just(Optional.of(new Rejection(sessionLost(error, begun.get()), Mono.empty()))))
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
	private Mono<Optional<Rejection>> pipelined(Transaction transaction, Deadline deadline, AtomicBoolean begun) {
		List<Mono<Reply>> replies = this.conversation.pipeline(deadline, transaction.mail(this.extensions),
				transaction.rcpt(), SmtpRequests.data());
		Mono<Reply> data = replies.get(2);
		return replies.get(0)
			.doOnNext((_) -> begun.set(true))
			.flatMap((mail) -> !mail.isPositive() ? refused(mail, Command.MAIL, data)
					: replies.get(1)
						.flatMap((rcpt) -> !rcpt.isPositive() ? refused(rcpt, Command.RCPT, data) : data
							.flatMap((last) -> last.isIntermediate() ? ACCEPTED : refused(last, Command.DATA, data))));
	}

	private Mono<Optional<Rejection>> stepByStep(Transaction transaction, Deadline deadline, AtomicBoolean begun) {
		return this.conversation.send(deadline, transaction.mail(this.extensions))
			.doOnNext((_) -> begun.set(true))
			.flatMap((mail) -> !mail.isPositive() ? refused(mail, Command.MAIL, Mono.empty()) : this.conversation
				.send(deadline, transaction.rcpt())
				.flatMap((rcpt) -> !rcpt.isPositive() ? refused(rcpt, Command.RCPT, Mono.empty()) : this.conversation
					.send(deadline, SmtpRequests.data())
					.flatMap((data) -> data.isIntermediate() ? ACCEPTED : refused(data, Command.DATA, Mono.empty()))));
	}

	private static Mono<Optional<Rejection>> refused(Reply reply, Command command, Mono<Reply> data) {
		return Mono.just(Optional.of(new Rejection(refusal(reply, command), data)));
	}

	/**
	 * Sends the message and the final dot. If no reply follows once they are written, the
	 * outcome is unknown.
	 */
	private Mono<Outcome> sendMessage(byte[] message) {
		return Mono.defer(() -> {
			DefaultLastSmtpContent content = new DefaultLastSmtpContent(stuffed(message));
			return this.conversation.finish(this.options.dotTimeout(), content, this::answerLost)
				.map((reply) -> reply.isPositive() ? accepted(reply) : refusal(reply, Command.DATA));
		}).onErrorResume((error) -> !(error instanceof AnswerLost), (error) -> Mono.just(sessionLost(error, true)));
	}

	private AnswerLost answerLost(Throwable error) {
		return new AnswerLost(error, this.conversation.transcript().attempt(this.options.transport()));
	}

	private Outcome accepted(Reply reply) {
		return this.options.last() ? new Outcome.Delivered(reply.text()) : new Outcome.Sent(reply.text());
	}

	/** Outcome of a refusal; a permanent one is classified by its text. */
	private static Outcome refusal(Reply reply, Command command) {
		return (reply.code() / 100 == 5) ? Bounce.of(reply.text(), command).outcome(command)
				: new Outcome.Deferred(reply.text());
	}

	/**
	 * Ends the transaction after a refusal. If the server has nevertheless accepted DATA,
	 * an empty message is sent, which has no valid recipient.
	 */
	private Mono<Outcome> abort(Rejection rejection) {
		return rejection.data()
			.map((data) -> data.isIntermediate() ? LastSmtpContent.EMPTY_LAST_CONTENT : SmtpRequests.rset())
			.defaultIfEmpty(SmtpRequests.rset())
			.flatMap((command) -> this.conversation.send(cleanupTimeout(), command))
			.timeout(cleanupTimeout())
			.doOnError((_) -> this.conversation.close())
			.onErrorComplete()
			.thenReturn(rejection.outcome());
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
	 * The message with the transparency of DATA: a line that begins with a dot gets
	 * another (RFC 5321 section 4.5.2). A message that needs no change is not copied.
	 * @param message complete lines, each terminated by CRLF
	 */
	private static ByteBuf stuffed(byte[] message) {
		int dots = 0;
		for (int i = 0; i < message.length; i++) {
			dots += isFirstDot(message, i) ? 1 : 0;
		}
		boolean open = message.length < 2 || message[message.length - 1] != '\n';
		if (dots == 0 && !open) {
			return Unpooled.wrappedBuffer(message);
		}
		byte[] target = new byte[message.length + dots + (open ? 2 : 0)];
		int length = 0;
		for (int i = 0; i < message.length; i++) {
			if (isFirstDot(message, i)) {
				target[length++] = '.';
			}
			target[length++] = message[i];
		}
		if (open) {
			target[length++] = '\r';
			target[length] = '\n';
		}
		return Unpooled.wrappedBuffer(target);
	}

	private static boolean isFirstDot(byte[] message, int at) {
		return message[at] == '.' && (at == 0 || message[at - 1] == '\n');
	}

	/**
	 * Rejection before the message was sent.
	 *
	 * @param data reply to a pipelined DATA; empty if DATA was not sent
	 */
	private record Rejection(Outcome outcome, Mono<Reply> data) {
	}

	/** Commands of one transaction and the extensions that it requires. */
	private record Transaction(Envelope envelope, byte[] message) {

		/**
		 * Outcome of a mail that the server cannot accept according to its extensions;
		 * empty if it may. Missing SMTPUTF8 is a soft bounce: it does not mean that the
		 * mailbox does not exist.
		 */
		Optional<Outcome> unsupported(Extensions extensions) {
			if (extensions.refuses(this.message.length)) {
				return Optional.of(new Outcome.Bounced(Bounce.Reason.MAIL_TOO_LARGE,
						"552 5.3.4 The mail exceeds the server's size limit: " + this.message.length + " bytes"));
			}
			if (needsUtf8() && !extensions.has("SMTPUTF8")) {
				return Optional.of(new Outcome.Bounced(Bounce.Reason.UNSUPPORTED,
						"553 5.6.7 An address requires SMTPUTF8, which the server does not offer"));
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

		/** Whether an address of the envelope or the header is not ASCII (RFC 6531). */
		private boolean needsUtf8() {
			return this.envelope.needsUtf8() || hasEightBits(headerLength());
		}

		private int headerLength() {
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

		/** Netty encodes requests as ASCII. UTF-8 is passed on byte by byte. */
		private static SmtpRequest command(String verb, String... parameters) {
			CharSequence[] bytes = new CharSequence[parameters.length];
			for (int i = 0; i < parameters.length; i++) {
				bytes[i] = new String(parameters[i].getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
			}
			return new DefaultSmtpRequest(SmtpCommand.valueOf(verb), bytes);
		}

	}

	/**
	 * Extensions that a server offers in its reply to EHLO (RFC 5321 section 4.1.1.1).
	 *
	 * @param parameters by keyword in upper case
	 */
	record Extensions(Map<String, String> parameters) {

		static Extensions of(Reply ehlo) {
			Map<String, String> parameters = new HashMap<>();
			ehlo.lines().stream().skip(1).forEach((line) -> {
				String[] words = line.strip().split(" ", 2);
				parameters.put(words[0].toUpperCase(Locale.ROOT), (words.length > 1) ? words[1] : "");
			});
			return new Extensions(Map.copyOf(parameters));
		}

		boolean has(String keyword) {
			return this.parameters.containsKey(keyword);
		}

		/** Whether a mail exceeds the size limit that the server declares (RFC 1870). */
		boolean refuses(long bytes) {
			try {
				long maxBytes = Long.parseLong(this.parameters.getOrDefault("SIZE", "0").strip());
				return maxBytes > 0 && bytes > maxBytes;
			}
			catch (NumberFormatException _) {
				return false;
			}
		}

		/** Mechanisms of AUTH (RFC 4954). */
		Set<String> mechanisms() {
			return Set.copyOf(List.of(this.parameters.getOrDefault("AUTH", "").toUpperCase(Locale.ROOT).split(" ")));
		}

	}

}
