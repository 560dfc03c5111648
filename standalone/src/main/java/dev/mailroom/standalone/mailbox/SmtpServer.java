package dev.mailroom.standalone.mailbox;

import java.time.Duration;
import java.util.function.Function;

import io.netty.channel.ChannelOption;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.NettyInbound;
import reactor.netty.NettyOutbound;
import reactor.netty.tcp.TcpServer;

/** Lets SMTP clients in, one conversation a connection. */
final class SmtpServer {

	/** RFC 5321 4.5.3.2: a server waits five minutes for the next command. */
	private static final Duration SILENCE = Duration.ofMinutes(5);

	private final int port;

	private final int mostBytes;

	private final Function<SmtpMail, String> handling;

	private @Nullable DisposableServer server;

	/**
	 * A server on the loopback address.
	 * @param port where it listens
	 * @param mostBytes the bytes a mail may have
	 * @param handling takes a mail and says what to reply; must not wait
	 */
	SmtpServer(int port, int mostBytes, Function<SmtpMail, String> handling) {
		this.port = port;
		this.mostBytes = mostBytes;
		this.handling = handling;
	}

	void start() {
		this.server = TcpServer.create()
			.host("127.0.0.1")
			.port(this.port)
			.childOption(ChannelOption.TCP_NODELAY, true)
			.handle(this::converse)
			.bindNow();
	}

	private Publisher<Void> converse(NettyInbound in, NettyOutbound out) {
		SmtpConversation conversation = new SmtpConversation(this.mostBytes, this.handling);
		in.withConnection((connection) -> connection.onReadIdle(SILENCE.toMillis(), connection::dispose));
		Flux<String> answers = in.receive()
			.asByteArray()
			.map(conversation::hear)
			.filter((answer) -> !answer.isEmpty())
			.takeUntil((_) -> conversation.isOver());
		return Flux.concat(Mono.just(conversation.greeting()), answers)
			.concatMap((answer) -> out.sendString(Mono.just(answer)).then());
	}

	/** The port it listens on. */
	int port() {
		return (this.server != null) ? this.server.port() : this.port;
	}

	void close() {
		if (this.server != null) {
			this.server.disposeNow();
		}
	}

}
