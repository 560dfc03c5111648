package dev.mailroom.worker.transport;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.smtp.DefaultSmtpRequest;
import io.netty.handler.codec.smtp.SmtpCommand;
import io.netty.handler.codec.smtp.SmtpRequest;
import io.netty.handler.codec.smtp.SmtpRequestEncoder;
import io.netty.handler.codec.smtp.SmtpRequests;
import io.netty.handler.codec.smtp.SmtpResponseDecoder;
import io.netty.handler.ssl.SslHandler;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.netty.resources.LoopResources;
import reactor.netty.tcp.TcpResources;

/**
 * Opens a session: the connection, the greeting, TLS, signing in. Nothing of a mail is
 * said yet.
 */
final class SessionOpener {

	private static final int LONGEST_LINE = 8192;

	/**
	 * Short enough for the mail to go without where TLS is only welcome, and the server
	 * offers it and then says nothing.
	 */
	private static final Duration HANDSHAKE = Duration.ofSeconds(5);

	/** That a command is not known, or not meant to be (RFC 5321 4.2.4). */
	private static final Set<Integer> UNKNOWN = Set.of(500, 502, 504);

	/** The port that a certificate is asked for; it only names the session. */
	private static final int SMTP = 25;

	private static final String DECODER = "replies";

	private final SessionOptions terms;

	private final @Nullable SmtpAuth signIn;

	SessionOpener(SessionOptions terms, @Nullable SmtpAuth signIn) {
		this.terms = terms;
		this.signIn = signIn;
	}

	/** Opens a session with one address of a host. */
	Mono<SmtpSession> open(String host, InetSocketAddress address, Transcript transcript) {
		return Mono.defer(() -> {
			transcript.at(host, address.getAddress().getHostAddress());
			Sinks.One<Conversation> connected = Sinks.one();
			ChannelFuture connecting = bootstrap(host, transcript, connected).connect(address);
			connecting.addListener((done) -> {
				if (!done.isSuccess()) {
					connected.tryEmitError(done.cause());
				}
			});
			return connected.asMono()
				.doOnCancel(() -> connecting.channel().close())
				.flatMap((conversation) -> introduce(conversation, host).doOnError((_) -> conversation.close())
					.doOnCancel(conversation::close))
				.doOnError((error) -> transcript.note(String.valueOf(error.getMessage())));
		});
	}

	/**
	 * On Reactor Netty's own loops; the protocol stands on the connection before it reads
	 * anything.
	 */
	private Bootstrap bootstrap(String host, Transcript transcript, Sinks.One<Conversation> connected) {
		TcpResources resources = TcpResources.get();
		EventLoopGroup loops = resources.onClient(LoopResources.DEFAULT_NATIVE);
		return new Bootstrap().group(loops)
			.channelFactory(() -> resources.onChannel(SocketChannel.class, loops))
			.option(ChannelOption.TCP_NODELAY, true)
			.option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) this.terms.connectTimeout().toMillis())
			.handler(new ChannelInitializer<>() {
				@Override
				protected void initChannel(Channel channel) {
					begin(channel, host, new Conversation(channel, connected, transcript));
				}
			});
	}

	private void begin(Channel channel, String host, Conversation conversation) {
		if (this.terms.tls() == TlsMode.IMPLICIT) {
			channel.pipeline().addLast(Conversation.TLS, handler(channel, host));
		}
		channel.pipeline()
			.addLast(DECODER, new SmtpResponseDecoder(LONGEST_LINE))
			.addLast(new SmtpRequestEncoder())
			.addLast(conversation);
	}

	private SslHandler handler(Channel channel, String host) {
		SslHandler handler = this.terms.context().newHandler(channel.alloc(), host, SMTP);
		handler.setHandshakeTimeout(HANDSHAKE.toSeconds(), TimeUnit.SECONDS);
		return handler;
	}

	/**
	 * Begins TLS; what came before it is forgotten, for anybody could have put it there.
	 */
	private Mono<Void> encrypt(Conversation conversation, String host) {
		return Mono.create((sink) -> {
			Channel channel = conversation.channel();
			channel.eventLoop().execute(() -> {
				if (!channel.isActive()) {
					sink.error(new IOException("The connection was lost"));
					return;
				}
				SslHandler handler = handler(channel, host);
				// Taken out, not replaced: what it still holds would go on to its
				// successor.
				channel.pipeline().remove(DECODER);
				channel.pipeline()
					.addFirst(DECODER, new SmtpResponseDecoder(LONGEST_LINE))
					.addFirst(Conversation.TLS, handler);
				handler.handshakeFuture().addListener((done) -> {
					if (done.isSuccess()) {
						sink.success();
					}
					else {
						sink.error(done.cause());
					}
				});
			});
		});
	}

	private Mono<SmtpSession> introduce(Conversation conversation, String host) {
		return positive(conversation.greeting().timeout(patience())).then(Mono.defer(() -> ehlo(conversation)))
			.flatMap((extensions) -> secured(conversation, extensions, host))
			.flatMap((extensions) -> signedIn(conversation, extensions))
			.map((extensions) -> {
				conversation.transcript().secured(conversation.tls());
				return new SmtpSession(conversation, extensions, this.terms);
			});
	}

	/** A server that does not know EHLO is greeted as of old (RFC 5321 3.2). */
	private Mono<Extensions> ehlo(Conversation conversation) {
		return conversation.ask(patience(), SmtpRequests.ehlo(this.terms.helo()))
			.flatMap((reply) -> UNKNOWN.contains(reply.code()) ? helo(conversation)
					: positive(Mono.just(reply)).map(Extensions::of));
	}

	private Mono<Extensions> helo(Conversation conversation) {
		return positive(conversation.ask(patience(), SmtpRequests.helo(this.terms.helo())))
			.map((_) -> new Extensions(Map.of()));
	}

	private Mono<Extensions> secured(Conversation conversation, Extensions extensions, String host) {
		boolean asked = this.terms.tls() == TlsMode.STARTTLS || this.terms.tls() == TlsMode.REQUIRED;
		if (!asked || (this.terms.tls() == TlsMode.STARTTLS && !extensions.has("STARTTLS"))) {
			return Mono.just(extensions);
		}
		if (!extensions.has("STARTTLS")) {
			return Mono.error(new IOException("TLS is required and the server does not offer STARTTLS"));
		}
		SmtpRequest startTls = new DefaultSmtpRequest(SmtpCommand.valueOf("STARTTLS"));
		return positive(conversation.ask(patience(), startTls))
			.then(Mono.defer(() -> encrypt(conversation, host).timeout(patience())))
			.onErrorMap(NoTls::new)
			.then(Mono.defer(() -> ehlo(conversation)));
	}

	private Mono<Extensions> signedIn(Conversation conversation, Extensions extensions) {
		return (this.signIn == null) ? Mono.just(extensions)
				: this.signIn.to(conversation, extensions, this.terms.tls(), patience());
	}

	private Duration patience() {
		return this.terms.replyTimeout();
	}

	static Mono<Reply> positive(Mono<Reply> answer) {
		return answer.flatMap((reply) -> reply.isPositive() ? Mono.just(reply) : Mono.error(new RefusedSession(reply)));
	}

}
