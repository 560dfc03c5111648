package dev.mailroom.worker.smtp.server;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import dev.mailroom.worker.smtp.server.SmtpHandler.SmtpRefused;
import dev.mailroom.worker.smtp.server.SmtpServerOptions.SmtpLimits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Channel handler of one client's connection. It reads from the network only when no
 * action is pending. Input sent ahead uses no memory here.
 */
final class SmtpConnection extends ChannelInboundHandlerAdapter {

	private static final Logger log = LoggerFactory.getLogger(SmtpConnection.class);

	private static final Duration HANDSHAKE_TIMEOUT = Duration.ofSeconds(30);

	private final SmtpServerOptions options;

	private final ConnectionLimits limits;

	private final Dialogue dialogue;

	private final InetSocketAddress address;

	private final Sinks.Many<Mono<Void>> calls = Sinks.many().unicast().onBackpressureBuffer();

	private final InboundBuffer unread = new InboundBuffer();

	private final Timeouts timeouts;

	private boolean counted;

	private boolean busy;

	private boolean closing;

	private boolean stopping;

	SmtpConnection(SmtpServerOptions options, SmtpHandler handler, ConnectionLimits limits, InetSocketAddress address) {
		this.options = options;
		this.limits = limits;
		this.address = address;
		this.timeouts = new Timeouts(options.limits(), limits);
		this.dialogue = new Dialogue(options, handler, limits, address);
	}

	/** Handler calls, one after another, until the connection is closed. */
	Flux<Void> calls() {
		return this.calls.asFlux().concatMap((call) -> call);
	}

	@Override
	public void channelActive(ChannelHandlerContext context) {
		this.counted = this.limits.enter(this.address.getAddress());
		apply(context, this.counted ? this.dialogue.greeting() : Action.replyAndClose(SmtpReply.TOO_MANY_CONNECTIONS));
		context.flush();
		context.fireChannelActive();
		proceed(context);
	}

	@Override
	public void channelRead(ChannelHandlerContext context, Object message) {
		ByteBuf more = (ByteBuf) message;
		if (this.closing) {
			more.release();
		}
		else {
			this.unread.add(more);
		}
	}

	@Override
	public void channelReadComplete(ChannelHandlerContext context) {
		proceed(context);
	}

	@Override
	public void channelWritabilityChanged(ChannelHandlerContext context) {
		proceed(context);
		context.fireChannelWritabilityChanged();
	}

	private void proceed(ChannelHandlerContext context) {
		boolean receiving = this.dialogue.isReceivingData();
		while (isReady(context) && !this.unread.isEmpty()) {
			apply(context, this.dialogue.read(this.unread.bytes()));
		}
		if (this.unread.isEmpty()) {
			this.unread.clear();
		}
		if (receiving && this.dialogue.isReceivingData()) {
			awaitMore(context);
		}
		context.flush();
		if (isReady(context)) {
			context.read();
		}
	}

	/** False while the client does not read its replies. */
	private boolean isReady(ChannelHandlerContext context) {
		return !this.busy && !this.closing && context.channel().isWritable();
	}

	private void apply(ChannelHandlerContext context, Action action) {
		switch (action) {
			case Action.ReadMore _ -> {
			}
			case Action.Send(var lines, var close) -> send(context, lines, close);
			case Action.Call call -> call(context, call);
			case Action.StartTls(var lines) -> startTls(context, lines);
		}
	}

	private void send(ChannelHandlerContext context, String lines, boolean close) {
		ByteBuf bytes = Unpooled.copiedBuffer(lines, StandardCharsets.US_ASCII);
		if (close) {
			this.closing = true;
			this.timeouts.awaitClose(context);
			context.writeAndFlush(bytes).addListener(ChannelFutureListener.CLOSE);
			return;
		}
		context.write(bytes).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
		this.timeouts.replied();
		awaitMore(context);
	}

	private void call(ChannelHandlerContext context, Action.Call call) {
		this.busy = true;
		if (call.isMail()) {
			this.timeouts.receivedMail();
		}
		this.timeouts.cancel();
		Mono<Void> completion = call.result()
			.timeout(this.options.limits().answer())
			.onErrorResume((error) -> Mono.just(failed(error)))
			.defaultIfEmpty(SmtpReply.LOCAL_ERROR)
			.doOnNext((reply) -> context.executor().execute(() -> completed(context, call, reply)))
			.then();
		this.calls.tryEmitNext(completion);
	}

	private static SmtpReply failed(Throwable error) {
		if (error instanceof SmtpRefused refused) {
			return refused.reply();
		}
		log.warn("An SMTP command failed", error);
		return SmtpReply.LOCAL_ERROR;
	}

	private void completed(ChannelHandlerContext context, Action.Call call, SmtpReply reply) {
		if (this.closing) {
			return;
		}
		this.busy = false;
		apply(context, this.dialogue.completed(call, reply));
		if (this.stopping && !this.closing) {
			apply(context, Action.replyAndClose(SmtpReply.SHUTTING_DOWN));
		}
		proceed(context);
	}

	/**
	 * Sends the reply without TLS and begins TLS. Unread input is discarded, because it
	 * may have been injected (RFC 3207 section 4.2).
	 */
	private void startTls(ChannelHandlerContext context, String lines) {
		SslContext tls = this.options.tls();
		if (tls == null) {
			return;
		}
		this.busy = true;
		this.unread.clear();
		context.flush();
		SslHandler handler = new SslHandler(tls.newEngine(context.alloc()), true);
		handler.setHandshakeTimeoutMillis(HANDSHAKE_TIMEOUT.toMillis());
		context.pipeline().addFirst(handler);
		handler.handshakeFuture().addListener((done) -> {
			this.busy = false;
			if (done.isSuccess()) {
				this.dialogue.secured();
				awaitMore(context);
				proceed(context);
			}
			else {
				ChannelFuture _ = context.close();
			}
		});
		context.writeAndFlush(Unpooled.copiedBuffer(lines, StandardCharsets.US_ASCII))
			.addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
		context.read();
	}

	private void awaitMore(ChannelHandlerContext context) {
		this.timeouts.await(context, this.dialogue.isReceivingData(), () -> {
			if (!this.busy && !this.closing) {
				apply(context, Action.replyAndClose(SmtpReply.TIMEOUT));
			}
		});
	}

	/** Closes the connection once no command or mail is in progress. */
	void stop(ChannelHandlerContext context) {
		context.executor().execute(() -> {
			this.stopping = true;
			if (!this.busy && !this.closing && !this.dialogue.isReceivingData()) {
				apply(context, Action.replyAndClose(SmtpReply.SHUTTING_DOWN));
			}
		});
	}

	@Override
	public void channelInactive(ChannelHandlerContext context) {
		this.closing = true;
		this.timeouts.cancel();
		this.unread.clear();
		this.dialogue.end();
		if (this.counted) {
			this.counted = false;
			this.limits.leave(this.address.getAddress());
		}
		this.calls.tryEmitComplete();
		context.fireChannelInactive();
	}

	@Override
	public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
		log.debug("The connection from {} ended: {}", this.address, String.valueOf(cause.getMessage()));
		ChannelFuture _ = context.close();
	}

	/**
	 * Timeouts of one connection: those of RFC 5321 usually, much shorter ones while the
	 * server is crowded.
	 */
	private static final class Timeouts {

		/** Limit on the next bytes while crowded, and on reading the last reply. */
		private static final Duration CROWDED_TIMEOUT = Duration.ofSeconds(10);

		/** Limit on a whole message while crowded. */
		private static final Duration CROWDED_MAIL_TIMEOUT = Duration.ofMinutes(5);

		private final SmtpLimits limits;

		private final ConnectionLimits connections;

		private @Nullable ScheduledFuture<?> timer;

		private long lastReply = System.nanoTime();

		private long lastMail = System.nanoTime();

		Timeouts(SmtpLimits limits, ConnectionLimits connections) {
			this.limits = limits;
			this.connections = connections;
		}

		/** Records a reply: the time for a whole message counts from the last one. */
		void replied() {
			this.lastReply = System.nanoTime();
		}

		/**
		 * Records a complete mail: a session without mail ends after the time for a mail.
		 */
		void receivedMail() {
			this.lastMail = System.nanoTime();
		}

		/** Starts the timeout of the next command or of the next block of a message. */
		void await(ChannelHandlerContext context, boolean receivingData, Runnable expired) {
			cancel();
			this.timer = context.executor()
				.schedule(expired, timeout(receivingData, this.connections.isCrowded()).toMillis(),
						TimeUnit.MILLISECONDS);
		}

		/** Closes the connection even if the client does not read the last reply. */
		void awaitClose(ChannelHandlerContext context) {
			cancel();
			this.timer = context.executor().schedule(() -> {
				ChannelFuture _ = context.close();
			}, min(this.limits.command(), CROWDED_TIMEOUT).toMillis(), TimeUnit.MILLISECONDS);
		}

		private Duration timeout(boolean receivingData, boolean crowded) {
			Duration pause = receivingData ? this.limits.block() : this.limits.command();
			Duration permitted = crowded ? min(pause, CROWDED_TIMEOUT) : pause;
			if (!receivingData) {
				return min(this.limits.mail().minusNanos(System.nanoTime() - this.lastMail), permitted);
			}
			Duration whole = crowded ? min(this.limits.mail(), CROWDED_MAIL_TIMEOUT) : this.limits.mail();
			return min(whole.minusNanos(System.nanoTime() - this.lastReply), permitted);
		}

		private static Duration min(Duration first, Duration second) {
			return (first.compareTo(second) < 0) ? first : second;
		}

		void cancel() {
			if (this.timer != null) {
				this.timer.cancel(false);
				this.timer = null;
			}
		}

	}

	/** Bytes that were received from a client and not yet read. */
	private static final class InboundBuffer {

		private ByteBuf bytes = Unpooled.EMPTY_BUFFER;

		/** Appends bytes and takes over their release. */
		void add(ByteBuf more) {
			if (this.bytes.isReadable()) {
				this.bytes = Unpooled.wrappedBuffer(this.bytes, more);
			}
			else {
				this.bytes.release();
				this.bytes = more;
			}
		}

		boolean isEmpty() {
			return !this.bytes.isReadable();
		}

		/** The buffer, with its read position after the bytes read so far. */
		ByteBuf bytes() {
			return this.bytes;
		}

		/** Releases all bytes. */
		void clear() {
			this.bytes.release();
			this.bytes = Unpooled.EMPTY_BUFFER;
		}

	}

}
