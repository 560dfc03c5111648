package dev.mailroom.worker.smtpd;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * One client's connection. It is read from only while there is nothing to do: what a
 * client sends ahead stays in its network, and not in our memory.
 */
final class SmtpConnection extends ChannelInboundHandlerAdapter {

	private static final Logger log = LoggerFactory.getLogger(SmtpConnection.class);

	private static final Duration HANDSHAKE = Duration.ofSeconds(30);

	private final SmtpServerOptions terms;

	private final ConnectionLimits room;

	private final Dialogue dialogue;

	private final InetSocketAddress address;

	private final Sinks.Many<Mono<Void>> questions = Sinks.many().unicast().onBackpressureBuffer();

	private final InboundBuffer unread = new InboundBuffer();

	private final SmtpTimeouts patience;

	private boolean guest;

	private boolean busy;

	private boolean over;

	private boolean stopping;

	SmtpConnection(SmtpServerOptions terms, SmtpHandler handler, ConnectionLimits room, InetSocketAddress address) {
		this.terms = terms;
		this.room = room;
		this.address = address;
		this.patience = new SmtpTimeouts(terms.limits(), room);
		this.dialogue = new Dialogue(terms, handler, room, new SmtpSessionState(address));
	}

	/**
	 * What handlers are asked, one after another, for as long as the connection lasts.
	 */
	Flux<Void> work() {
		return this.questions.asFlux().concatMap((question) -> question);
	}

	@Override
	public void channelActive(ChannelHandlerContext context) {
		this.guest = this.room.enter(this.address.getAddress());
		apply(context, this.guest ? this.dialogue.greeting() : last(Replies.TOO_MANY_CONNECTIONS));
		context.flush();
		context.fireChannelActive();
		goOn(context);
	}

	@Override
	public void channelRead(ChannelHandlerContext context, Object message) {
		ByteBuf more = (ByteBuf) message;
		if (this.over) {
			more.release();
		}
		else {
			this.unread.add(more);
		}
	}

	@Override
	public void channelReadComplete(ChannelHandlerContext context) {
		goOn(context);
	}

	@Override
	public void channelWritabilityChanged(ChannelHandlerContext context) {
		goOn(context);
		context.fireChannelWritabilityChanged();
	}

	private void goOn(ChannelHandlerContext context) {
		boolean inside = this.dialogue.isInsideAMail();
		while (isFree(context) && !this.unread.isEmpty()) {
			apply(context, this.dialogue.hear(this.unread.bytes()));
		}
		if (this.unread.isEmpty()) {
			this.unread.forget();
		}
		if (inside && this.dialogue.isInsideAMail()) {
			awaitMore(context);
		}
		context.flush();
		if (isFree(context)) {
			context.read();
		}
	}

	/** Who does not read what it is told is not listened to either. */
	private boolean isFree(ChannelHandlerContext context) {
		return !this.busy && !this.over && context.channel().isWritable();
	}

	private void apply(ChannelHandlerContext context, Step step) {
		switch (step) {
			case Step.More _ -> {
			}
			case Step.Say(var lines, var last) -> say(context, lines, last);
			case Step.Ask ask -> ask(context, ask);
			case Step.Encrypt(var lines) -> encrypt(context, lines);
		}
	}

	private static Step last(SmtpReply reply) {
		return new Step.Say(reply + "\r\n", true);
	}

	private void say(ChannelHandlerContext context, String lines, boolean last) {
		ByteBuf bytes = Unpooled.copiedBuffer(lines, StandardCharsets.US_ASCII);
		if (last) {
			this.over = true;
			this.patience.lastWord(context);
			context.writeAndFlush(bytes).addListener(ChannelFutureListener.CLOSE);
			return;
		}
		context.write(bytes);
		this.patience.answered();
		awaitMore(context);
	}

	private void ask(ChannelHandlerContext context, Step.Ask ask) {
		this.busy = true;
		this.patience.end();
		Mono<Void> question = ask.question()
			.timeout(this.terms.limits().answer())
			.onErrorResume((error) -> Mono.just(failed(error)))
			.defaultIfEmpty(Replies.FAILED)
			.doOnNext((reply) -> context.executor().execute(() -> answered(context, ask, reply)))
			.then();
		this.questions.tryEmitNext(question);
	}

	private static SmtpReply failed(Throwable error) {
		if (error instanceof SmtpRefused refused) {
			return refused.reply();
		}
		log.warn("What a client asked for over SMTP could not be done", error);
		return Replies.FAILED;
	}

	private void answered(ChannelHandlerContext context, Step.Ask ask, SmtpReply reply) {
		if (this.over) {
			return;
		}
		this.busy = false;
		apply(context, this.dialogue.answered(ask, reply));
		if (this.stopping && !this.over) {
			apply(context, last(Replies.STOPPING));
		}
		goOn(context);
	}

	/**
	 * The answer leaves in the clear, and all that comes after the command must be TLS:
	 * what somebody has put there before is thrown away.
	 */
	private void encrypt(ChannelHandlerContext context, String lines) {
		SslContext tls = this.terms.tls();
		if (tls == null) {
			return;
		}
		this.busy = true;
		this.unread.forget();
		context.flush();
		SslHandler handler = new SslHandler(tls.newEngine(context.alloc()), true);
		handler.setHandshakeTimeoutMillis(HANDSHAKE.toMillis());
		context.pipeline().addFirst(handler);
		handler.handshakeFuture().addListener((done) -> {
			this.busy = false;
			if (done.isSuccess()) {
				this.dialogue.secured();
				awaitMore(context);
				goOn(context);
			}
			else {
				context.close();
			}
		});
		context.writeAndFlush(Unpooled.copiedBuffer(lines, StandardCharsets.US_ASCII));
		context.read();
	}

	private void awaitMore(ChannelHandlerContext context) {
		this.patience.await(context, this.dialogue.isInsideAMail(), () -> {
			if (!this.busy && !this.over) {
				apply(context, last(Replies.TOO_SLOW));
			}
		});
	}

	/** Says goodbye as soon as nothing is under way. */
	void stop(ChannelHandlerContext context) {
		context.executor().execute(() -> {
			this.stopping = true;
			if (!this.busy && !this.over && !this.dialogue.isInsideAMail()) {
				apply(context, last(Replies.STOPPING));
			}
		});
	}

	@Override
	public void channelInactive(ChannelHandlerContext context) {
		this.over = true;
		this.patience.end();
		this.unread.forget();
		this.dialogue.end();
		if (this.guest) {
			this.guest = false;
			this.room.leave(this.address.getAddress());
		}
		this.questions.tryEmitComplete();
		context.fireChannelInactive();
	}

	@Override
	public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
		log.debug("A connection from {} ended: {}", this.address, String.valueOf(cause.getMessage()));
		context.close();
	}

}
