package dev.mailroom.worker.transport;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Objects;

import javax.net.ssl.SSLException;

import dev.mailroom.worker.transport.RelaySettings.Tls;
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
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.netty.resources.LoopResources;
import reactor.netty.tcp.TcpResources;

/**
 * Opens a session: the connection, the greeting, TLS, signing in. Nothing of a mail is
 * said yet.
 */
final class Opening {

	private static final int LONGEST_LINE = 8192;

	private static final String DECODER = "replies";

	private static final String TLS = "tls";

	private final RelaySettings settings;

	private final Addresses addresses;

	private final SslContext tls;

	Opening(RelaySettings settings, Addresses.Resolver resolver) {
		this.settings = settings;
		this.addresses = new Addresses(settings.host(), resolver);
		this.tls = tls(settings);
	}

	Mono<SmtpSession> open() {
		return this.addresses.inTurn(this::open);
	}

	private Mono<SmtpSession> open(InetAddress address) {
		return Mono.defer(() -> {
			Sinks.One<Conversation> connected = Sinks.one();
			ChannelFuture connecting = bootstrap(connected).connect(address, this.settings.port());
			connecting.addListener((done) -> {
				if (!done.isSuccess()) {
					connected.tryEmitError(done.cause());
				}
			});
			return connected.asMono()
				.doOnCancel(() -> connecting.channel().close())
				.flatMap((conversation) -> introduce(conversation).doOnError((_) -> conversation.close())
					.doOnCancel(conversation::close));
		});
	}

	/**
	 * On Reactor Netty's own loops; the protocol stands on the connection before it reads
	 * anything.
	 */
	private Bootstrap bootstrap(Sinks.One<Conversation> connected) {
		TcpResources resources = TcpResources.get();
		EventLoopGroup loops = resources.onClient(LoopResources.DEFAULT_NATIVE);
		return new Bootstrap().group(loops)
			.channelFactory(() -> resources.onChannel(SocketChannel.class, loops))
			.option(ChannelOption.TCP_NODELAY, true)
			.option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) this.settings.connectTimeout().toMillis())
			.handler(new ChannelInitializer<>() {
				@Override
				protected void initChannel(Channel channel) {
					begin(channel, connected);
				}
			});
	}

	private void begin(Channel channel, Sinks.One<Conversation> connected) {
		if (this.settings.tls() == Tls.IMPLICIT) {
			channel.pipeline()
				.addLast(TLS, this.tls.newHandler(channel.alloc(), this.settings.host(), this.settings.port()));
		}
		channel.pipeline()
			.addLast(DECODER, new SmtpResponseDecoder(LONGEST_LINE))
			.addLast(new SmtpRequestEncoder())
			.addLast(new Conversation(channel, connected));
	}

	/**
	 * Begins TLS; what came before it is forgotten, for anybody could have put it there.
	 */
	private Mono<Void> encrypt(Conversation conversation) {
		return Mono.create((sink) -> {
			Channel channel = conversation.channel();
			channel.eventLoop().execute(() -> {
				SslHandler handler = this.tls.newHandler(channel.alloc(), this.settings.host(), this.settings.port());
				// Taken out, not replaced: what it still holds would go on to its
				// successor.
				channel.pipeline().remove(DECODER);
				channel.pipeline().addFirst(DECODER, new SmtpResponseDecoder(LONGEST_LINE)).addFirst(TLS, handler);
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

	private Mono<SmtpSession> introduce(Conversation conversation) {
		return positive(conversation.greeting().timeout(patience())).then(Mono.defer(() -> ehlo(conversation)))
			.flatMap((extensions) -> secured(conversation, extensions))
			.flatMap((extensions) -> signedIn(conversation, extensions))
			.map((extensions) -> new SmtpSession(conversation, extensions, this.settings));
	}

	private Mono<Extensions> ehlo(Conversation conversation) {
		return positive(conversation.ask(patience(), SmtpRequests.ehlo(this.settings.helo()))).map(Extensions::of);
	}

	private Mono<Extensions> secured(Conversation conversation, Extensions extensions) {
		boolean asked = this.settings.tls() == Tls.STARTTLS || this.settings.tls() == Tls.REQUIRED;
		if (!asked || (this.settings.tls() == Tls.STARTTLS && !extensions.has("STARTTLS"))) {
			return Mono.just(extensions);
		}
		if (!extensions.has("STARTTLS")) {
			return Mono.error(new IOException("TLS is required and the server does not offer STARTTLS"));
		}
		SmtpRequest startTls = new DefaultSmtpRequest(SmtpCommand.valueOf("STARTTLS"));
		return positive(conversation.ask(patience(), startTls))
			.then(Mono.defer(() -> encrypt(conversation).timeout(patience())))
			.then(Mono.defer(() -> ehlo(conversation)));
	}

	private Mono<Extensions> signedIn(Conversation conversation, Extensions extensions) {
		if (!this.settings.signsIn()) {
			return Mono.just(extensions);
		}
		String user = Objects.requireNonNull(this.settings.user());
		String password = Objects.requireNonNullElse(this.settings.password(), "");
		if (this.settings.tls() == Tls.STARTTLS && conversation.channel().pipeline().get(TLS) == null) {
			return Mono.error(new IOException("The server offers no TLS, and a password is not sent without it: set "
					+ "MAILROOM_RELAY_TLS to none if that is wanted"));
		}
		if (extensions.mechanisms().contains("PLAIN")) {
			return positive(
					conversation.ask(patience(), SmtpRequests.auth("PLAIN", base64("\0" + user + "\0" + password))))
				.thenReturn(extensions);
		}
		if (extensions.mechanisms().contains("LOGIN")) {
			return conversation.ask(patience(), SmtpRequests.auth("LOGIN"))
				.then(Mono.defer(() -> conversation.ask(patience(), line(base64(user)))))
				.then(Mono.defer(() -> positive(conversation.ask(patience(), line(base64(password))))))
				.thenReturn(extensions);
		}
		return Mono.error(new IOException("The server offers neither AUTH PLAIN nor AUTH LOGIN"));
	}

	private static SmtpRequest line(String text) {
		return new DefaultSmtpRequest(SmtpCommand.valueOf(text));
	}

	private static String base64(String text) {
		return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
	}

	private Duration patience() {
		return this.settings.replyTimeout();
	}

	private static Mono<Reply> positive(Mono<Reply> answer) {
		return answer.flatMap((reply) -> reply.isPositive() ? Mono.just(reply)
				: Mono.error(new IOException("The server refused the session: " + reply.text())));
	}

	private static SslContext tls(RelaySettings settings) {
		try {
			SslContextBuilder builder = SslContextBuilder.forClient();
			if (settings.tls() == Tls.STARTTLS) {
				// Opportunistic: better than clear text, whoever the certificate is of
				// (RFC 7435).
				return builder.trustManager(InsecureTrustManagerFactory.INSTANCE)
					.endpointIdentificationAlgorithm(null)
					.build();
			}
			if (settings.caFile() != null && !settings.caFile().toString().isBlank()) {
				builder.trustManager(settings.caFile().toFile());
			}
			return builder.build();
		}
		catch (SSLException ex) {
			throw new IllegalStateException("TLS towards the relay cannot be set up", ex);
		}
	}

}
