package dev.mailroom.worker.smtp.client;

import java.io.IOException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

import dev.mailroom.worker.smtp.client.Conversation.Reply;
import dev.mailroom.worker.smtp.client.Session.AnswerLost;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.smtp.SmtpContent;
import io.netty.handler.codec.smtp.SmtpRequest;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Commands and replies on one connection. Commands sent together are pipelined (RFC
 * 2920); replies arrive in the order of the commands. A reply without a command ends the
 * session, because it may have been injected before TLS began.
 */
final class Conversation extends SimpleChannelInboundHandler<Reply> {

	/** Name of the TLS handler in the pipeline. */
	static final String TLS = "tls";

	/**
	 * Limit on waiting for the result of the last write after a connection was closed.
	 */
	private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

	/** Commands without secrets: only these are recorded with their parameters. */
	private static final Set<String> RECORDED = Set.of("EHLO", "HELO", "STARTTLS", "MAIL", "RCPT", "DATA", "RSET",
			"QUIT");

	private final Channel channel;

	private final Sinks.One<Conversation> connected;

	private final AwaitedReplies replies;

	private final Sinks.One<Reply> greeting = Sinks.one();

	private volatile Transcript transcript;

	private volatile @Nullable Throwable closeReason;

	/**
	 * Creates the handler of a connection that is being opened.
	 * @param connected receives this conversation when the connection is open
	 */
	Conversation(Channel channel, Sinks.One<Conversation> connected, Transcript transcript) {
		super(Reply.class);
		this.transcript = transcript;
		this.channel = channel;
		this.connected = connected;
		this.replies = new AwaitedReplies(channel, this::end);
		this.replies.add(this.greeting);
	}

	/** The server's greeting. */
	Mono<Reply> greeting() {
		return this.greeting.asMono();
	}

	/** Sets the transcript in which everything from now on is recorded. */
	void transcript(Transcript transcript) {
		this.transcript = transcript;
	}

	Transcript transcript() {
		return this.transcript;
	}

	boolean isEncrypted() {
		return this.channel.pipeline().get(TLS) != null;
	}

	/** TLS version and cipher; empty without TLS. */
	String tls() {
		if (!(this.channel.pipeline().get(TLS) instanceof SslHandler handler)) {
			return "";
		}
		SSLSession session = handler.engine().getSession();
		return session.getProtocol() + " " + session.getCipherSuite();
	}

	/** The certificate that the server has presented; empty without TLS. */
	Optional<X509Certificate> certificate() {
		try {
			return (this.channel.pipeline().get(TLS) instanceof SslHandler handler
					&& handler.engine().getSession().getPeerCertificates()[0] instanceof X509Certificate certificate)
							? Optional.of(certificate) : Optional.empty();
		}
		catch (SSLPeerUnverifiedException _) {
			return Optional.empty();
		}
	}

	Channel channel() {
		return this.channel;
	}

	/**
	 * Sends commands without waiting for replies in between.
	 * @return the replies in order; an error if the session ends or the deadline passes
	 * before
	 */
	List<Mono<Reply>> pipeline(Deadline deadline, Object... messages) {
		List<Exchange> exchanges = Stream.of(messages).map((message) -> exchange(message, deadline)).toList();
		this.channel.eventLoop().execute(() -> write(exchanges));
		return exchanges.stream().map((exchange) -> exchange.reply().asMono()).toList();
	}

	/** Sends one command and waits for its reply. */
	Mono<Reply> send(Duration timeout, Object message) {
		return Mono.defer(() -> send(Deadline.in(timeout), message));
	}

	/** Sends one command and waits for its reply. */
	Mono<Reply> send(Deadline deadline, Object message) {
		return Mono.defer(() -> pipeline(deadline, message).getFirst());
	}

	/**
	 * Sends the end of a mail and waits for the reply.
	 * @param lost maps an error to the one that is emitted if the last byte may have been
	 * sent without a reply; any other error means that it was not sent
	 */
	Mono<Reply> finish(Duration timeout, Object message, Function<Throwable, AnswerLost> lost) {
		return Mono.defer(() -> {
			Exchange exchange = exchange(message, Deadline.ofMessage(timeout));
			this.channel.eventLoop().execute(() -> write(List.of(exchange)));
			return exchange.reply().asMono().onErrorResume((error) -> {
				close();
				return failed(exchange.written(), error, lost);
			});
		});
	}

	private static Mono<Reply> failed(ChannelFuture written, Throwable error, Function<Throwable, AnswerLost> lost) {
		return Mono
			.<Reply>create(
					(sink) -> written.addListener((done) -> sink.error(done.isSuccess() ? lost.apply(error) : error)))
			.timeout(CLOSE_TIMEOUT, Mono.error(() -> lost.apply(error)));
	}

	private Exchange exchange(Object message, Deadline deadline) {
		return new Exchange(message, Sinks.one(), this.channel.newPromise(), deadline);
	}

	boolean isOpen() {
		return this.closeReason == null && this.channel.isActive();
	}

	/** Closes the connection. {@link #isOpen()} is false at once. */
	void close() {
		if (this.closeReason == null) {
			this.closeReason = new IOException("The session was closed by this side");
		}
		ChannelFuture _ = this.channel.close();
	}

	private void write(List<Exchange> exchanges) {
		Throwable reason = this.closeReason;
		if (reason != null) {
			exchanges.forEach((exchange) -> {
				ReferenceCountUtil.release(exchange.message());
				exchange.written().tryFailure(reason);
				exchange.reply().tryEmitError(reason);
			});
			return;
		}
		this.replies.add(exchanges);
		for (Exchange exchange : exchanges) {
			record(exchange.message());
			this.channel.write(exchange.message(), exchange.written()).addListener((written) -> {
				if (!written.isSuccess()) {
					end(written.cause());
				}
			});
		}
		this.channel.flush();
	}

	private void record(Object message) {
		if (message instanceof SmtpRequest request) {
			String verb = request.command().name().toString();
			this.transcript.sent(RECORDED.contains(verb) ? verb + " " + String.join(" ", request.parameters())
					: verb.equals("AUTH") ? "AUTH (not shown)" : "(not shown)");
		}
		else if (message instanceof SmtpContent content) {
			this.transcript.sent("(the message, " + content.content().readableBytes() + " bytes)");
		}
	}

	@Override
	protected void channelRead0(ChannelHandlerContext context, Reply reply) {
		Exchange next = this.replies.poll();
		this.transcript.received(reply.text());
		if (next == null) {
			end(new IOException("The server sent a reply without a command: " + reply.text()));
			return;
		}
		next.reply().tryEmitValue(reply);
		if (reply.closesSession()) {
			end(new IOException("The server closed the session: " + reply.text()));
		}
	}

	@Override
	public void channelActive(ChannelHandlerContext context) {
		this.connected.tryEmitValue(this);
		context.fireChannelActive();
	}

	@Override
	public void channelInactive(ChannelHandlerContext context) {
		end(new IOException("The connection was lost"));
		context.fireChannelInactive();
	}

	@Override
	public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
		end(cause);
	}

	/**
	 * Ends the session. A reply whose end was not received counts: its code says whether
	 * the server has accepted a mail, which would otherwise be sent again.
	 */
	private void end(Throwable reason) {
		if (this.closeReason == null) {
			this.closeReason = reason;
			ReplyDecoder decoder = this.channel.pipeline().get(ReplyDecoder.class);
			Reply begun = (decoder != null) ? decoder.begun() : null;
			Exchange next = (begun != null) ? this.replies.poll() : null;
			if (begun != null && next != null) {
				this.transcript.received(begun.text());
				next.reply().tryEmitValue(begun);
			}
			this.transcript.note(String.valueOf(reason.getMessage()));
		}
		ChannelFuture _ = this.channel.close();
		this.replies.fail(reason);
	}

	/**
	 * Replies that one connection awaits, in the order of the commands, with a single
	 * timer: a check that comes too early for the oldest reply is repeated, so that a
	 * busy connection needs a timer once per timeout and not for each reply. Used on the
	 * event loop only.
	 */
	private static final class AwaitedReplies {

		private final Channel channel;

		private final Consumer<Throwable> late;

		private final Queue<Exchange> pending = new ArrayDeque<>();

		private @Nullable Future<?> check;

		private long checkTime;

		/**
		 * Creates an empty queue.
		 * @param late called if the deadline of the oldest reply passes
		 */
		AwaitedReplies(Channel channel, Consumer<Throwable> late) {
			this.channel = channel;
			this.late = late;
		}

		/** Adds the reply to the connection itself, whose time is limited elsewhere. */
		void add(Sinks.One<Reply> greeting) {
			this.pending.add(new Exchange("", greeting, this.channel.voidPromise(), new Deadline(Long.MAX_VALUE, "")));
		}

		void add(List<Exchange> exchanges) {
			this.pending.addAll(exchanges);
			exchanges.forEach((exchange) -> schedule(exchange.deadline().time()));
		}

		/** Removes the oldest; null if no reply is awaited. */
		@Nullable Exchange poll() {
			return this.pending.poll();
		}

		/** Ends all with an error. */
		void fail(Throwable reason) {
			if (this.check != null) {
				this.check.cancel(false);
				this.check = null;
			}
			for (Exchange next = this.pending.poll(); next != null; next = this.pending.poll()) {
				next.reply().tryEmitError(reason);
			}
		}

		/** Schedules a check, unless there is an earlier one. */
		private void schedule(long time) {
			Future<?> scheduled = this.check;
			if (scheduled != null && time - this.checkTime >= 0) {
				return;
			}
			if (scheduled != null) {
				scheduled.cancel(false);
			}
			this.checkTime = time;
			this.check = this.channel.eventLoop()
				.schedule(this::checkOldest, time - System.nanoTime(), TimeUnit.NANOSECONDS);
		}

		private void checkOldest() {
			this.check = null;
			Exchange oldest = this.pending.peek();
			if (oldest == null) {
				return;
			}
			if (System.nanoTime() - oldest.deadline().time() >= 0) {
				this.late.accept(new TimeoutException(oldest.deadline().description()));
			}
			else {
				schedule(oldest.deadline().time());
			}
		}

	}

	/**
	 * A message, its reply, the completion of its write, and the deadline of its reply.
	 */
	private record Exchange(Object message, Sinks.One<Reply> reply, ChannelPromise written, Deadline deadline) {
	}

	/**
	 * Time by which a reply must arrive.
	 *
	 * @param time on the clock of {@link System#nanoTime()}
	 * @param description error message if it passes
	 */
	record Deadline(long time, String description) {

		static Deadline in(Duration timeout) {
			return new Deadline(System.nanoTime() + timeout.toNanos(), "no reply within " + timeout.toSeconds() + " s");
		}

		static Deadline ofMessage(Duration timeout) {
			return new Deadline(System.nanoTime() + timeout.toNanos(),
					"no reply to the message within " + timeout.toSeconds() + " s");
		}

	}

	/**
	 * Reply of a server.
	 *
	 * @param code reply code (RFC 5321 section 4.2)
	 * @param lines text of each line
	 */
	record Reply(int code, List<String> lines) {

		private static final int MAX_LENGTH = 1000;

		/** Code and text in one line. */
		String text() {
			String line = this.code + " " + String.join(" ", this.lines).strip();
			return (line.length() > MAX_LENGTH) ? line.substring(0, MAX_LENGTH) : line;
		}

		/** Whether this is a 2yz reply. */
		boolean isPositive() {
			return this.code / 100 == 2;
		}

		/** Whether this is a 3yz reply: the server expects more input. */
		boolean isIntermediate() {
			return this.code / 100 == 3;
		}

		/**
		 * Whether the server closes the session with this reply (RFC 5321 section 3.8).
		 */
		boolean closesSession() {
			return this.code == 421;
		}

	}

}
