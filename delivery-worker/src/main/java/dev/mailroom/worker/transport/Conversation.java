package dev.mailroom.worker.transport;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.function.Function;
import java.util.stream.Stream;

import javax.net.ssl.SSLSession;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.smtp.SmtpResponse;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Commands and their answers on one connection. Commands written together travel in one
 * flight (RFC 2920); answers come in their order. An answer that nobody asked for ends
 * the session: it could have been put in before TLS began.
 */
final class Conversation extends SimpleChannelInboundHandler<SmtpResponse> {

	/** Within it a connection that is closed says what became of the last bytes. */
	private static final Duration CLOSING = Duration.ofSeconds(5);

	/** Under which what keeps a connection from others stands on it. */
	static final String TLS = "tls";

	private final Channel channel;

	private final Sinks.One<Conversation> connected;

	private final Queue<Sinks.One<Reply>> awaited = new ArrayDeque<>();

	private final Sinks.One<Reply> greeting = Sinks.one();

	private volatile Transcript transcript;

	private volatile @Nullable Throwable over;

	/**
	 * A conversation on a connection that is being made.
	 * @param connected told when it is
	 */
	Conversation(Channel channel, Sinks.One<Conversation> connected, Transcript transcript) {
		super(SmtpResponse.class);
		this.transcript = transcript;
		this.channel = channel;
		this.connected = connected;
		this.awaited.add(this.greeting);
	}

	/** The answer to nothing: the server's greeting. */
	Mono<Reply> greeting() {
		return this.greeting.asMono();
	}

	/** What is written down from now on goes there. */
	void writeDown(Transcript transcript) {
		this.transcript = transcript;
	}

	Transcript transcript() {
		return this.transcript;
	}

	boolean isEncrypted() {
		return this.channel.pipeline().get(TLS) != null;
	}

	/** Version and cipher; empty in the clear. */
	String tls() {
		if (!(this.channel.pipeline().get(TLS) instanceof SslHandler handler)) {
			return "";
		}
		SSLSession session = handler.engine().getSession();
		return session.getProtocol() + " " + session.getCipherSuite();
	}

	Channel channel() {
		return this.channel;
	}

	/**
	 * Sends what belongs together in one flight.
	 * @return an answer for each, in order; an error where the session ends before
	 */
	List<Mono<Reply>> send(Duration patience, Object... messages) {
		List<Said> flight = Stream.of(messages).map(this::said).toList();
		this.channel.eventLoop().execute(() -> write(flight));
		return flight.stream()
			.map((said) -> said.answer().asMono().timeout(patience).doOnError((_) -> close()))
			.toList();
	}

	/** Sends one command and waits for its answer. */
	Mono<Reply> ask(Duration patience, Object message) {
		return Mono.defer(() -> send(patience, message).getFirst());
	}

	/**
	 * Sends what ends a mail, and waits for its answer.
	 * @param lost the error where none came and its last byte may have left; any other
	 * says that it has not
	 */
	Mono<Reply> finish(Duration patience, Object message, Function<Throwable, AnswerLost> lost) {
		return Mono.defer(() -> {
			Said said = said(message);
			this.channel.eventLoop().execute(() -> write(List.of(said)));
			return said.answer().asMono().timeout(patience).onErrorResume((error) -> {
				close();
				return whetherItLeft(said.written(), error, lost);
			});
		});
	}

	private static Mono<Reply> whetherItLeft(ChannelFuture written, Throwable error,
			Function<Throwable, AnswerLost> lost) {
		return Mono
			.<Reply>create(
					(sink) -> written.addListener((done) -> sink.error(done.isSuccess() ? lost.apply(error) : error)))
			.timeout(CLOSING, Mono.error(() -> lost.apply(error)));
	}

	private Said said(Object message) {
		return new Said(message, Sinks.one(), this.channel.newPromise());
	}

	boolean isOpen() {
		return this.over == null && this.channel.isActive();
	}

	/** Hangs up. From now on it is not open, though the network may take its time. */
	void close() {
		if (this.over == null) {
			this.over = new IOException("The session was closed from this side");
		}
		this.channel.close();
	}

	private void write(List<Said> flight) {
		Throwable reason = this.over;
		if (reason != null) {
			flight.forEach((said) -> {
				ReferenceCountUtil.release(said.message());
				said.written().tryFailure(reason);
				said.answer().tryEmitError(reason);
			});
			return;
		}
		flight.forEach((said) -> this.awaited.add(said.answer()));
		for (Said said : flight) {
			this.transcript.said(said.message());
			this.channel.write(said.message(), said.written()).addListener((written) -> {
				if (!written.isSuccess()) {
					end(written.cause());
				}
			});
		}
		this.channel.flush();
	}

	@Override
	protected void channelRead0(ChannelHandlerContext context, SmtpResponse response) {
		Sinks.One<Reply> answer = this.awaited.poll();
		Reply reply = Reply.of(response);
		this.transcript.heard(reply);
		if (answer == null) {
			end(new IOException("The server spoke unasked: " + reply.text()));
			return;
		}
		answer.tryEmitValue(reply);
		if (reply.closes()) {
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

	private void end(Throwable reason) {
		if (this.over == null) {
			this.over = reason;
			this.transcript.note(String.valueOf(reason.getMessage()));
		}
		this.channel.close();
		for (Sinks.One<Reply> answer = this.awaited.poll(); answer != null; answer = this.awaited.poll()) {
			answer.tryEmitError(reason);
		}
	}

	/** A message on its way: whether its last byte is out, and what was answered. */
	private record Said(Object message, Sinks.One<Reply> answer, ChannelPromise written) {
	}

}
