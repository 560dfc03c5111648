package dev.mailroom.worker.smtp.client;

import java.io.IOException;
import java.io.Serial;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.SSLException;

import dev.mailroom.worker.smtp.client.Conversation.Reply;
import dev.mailroom.worker.smtp.client.SmtpSession.Extensions;
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
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.netty.resources.LoopResources;
import reactor.netty.tcp.TcpResources;

/**
 * Opens sessions: connection, greeting, EHLO, STARTTLS and AUTH, up to the first MAIL.
 */
final class SessionOpener {

	/**
	 * Limit on a TLS handshake. It leaves time to send without TLS where TLS is optional
	 * and the server does not respond to the handshake.
	 */
	private static final Duration HANDSHAKE_TIMEOUT = Duration.ofSeconds(5);

	/** Replies of a server that does not implement the command (RFC 5321 4.2.4). */
	private static final Set<Integer> NOT_IMPLEMENTED = Set.of(500, 502, 504);

	/** Peer port given to the TLS engine, which uses it only to name TLS sessions. */
	private static final int SMTP_PORT = 25;

	private static final String DECODER = "replies";

	/**
	 * Binding an address would else reserve a port for all destinations. Other channels
	 * than those of epoll do not know the option, and ignore it.
	 */
	private static final ChannelOption<Boolean> NO_PORT = ChannelOption
		.valueOf("io.netty.channel.epoll.EpollChannelOption#IP_BIND_ADDRESS_NO_PORT");

	private final SessionOptions options;

	private final @Nullable SmtpAuth auth;

	/**
	 * Creates an opener.
	 * @param auth null for sessions without AUTH
	 */
	public SessionOpener(SessionOptions options, @Nullable SmtpAuth auth) {
		this.options = options;
		this.auth = auth;
	}

	/** Opens a session with one address of a host. */
	public Mono<SmtpSession> open(String host, InetSocketAddress address, Transcript transcript) {
		return open(host, address, null, transcript);
	}

	/**
	 * Opens a session with one address of a host. Fails with {@link NotBound} if this
	 * machine does not have the local address.
	 * @param from local address; null for the one that the operating system chooses
	 */
	Mono<SmtpSession> open(String host, InetSocketAddress address, @Nullable From from, Transcript transcript) {
		return Mono.defer(() -> {
			transcript.at(host, address.getAddress().getHostAddress());
			if (from != null) {
				transcript.from(from.address().getHostAddress());
			}
			Sinks.One<Conversation> connected = Sinks.one();
			Bootstrap bootstrap = bootstrap(host, transcript, connected);
			ChannelFuture connecting = (from != null)
					? bootstrap.connect(address, new InetSocketAddress(from.address(), 0)) : bootstrap.connect(address);
			connecting.addListener((done) -> {
				if (!done.isSuccess()) {
					connected.tryEmitError((from != null && !LocalSources.isLocal(from.address().getHostAddress()))
							? new NotBound(from.address(), done.cause()) : done.cause());
				}
			});
			String helo = (from != null) ? from.helo() : this.options.helo();
			return connected.asMono()
				.doOnCancel(() -> abort(connecting))
				.doOnNext((conversation) -> noteLocal(conversation, transcript))
				.flatMap((conversation) -> introduce(conversation, host, helo).doOnError((_) -> conversation.close())
					.doOnCancel(conversation::close))
				.doOnError((error) -> transcript.note(String.valueOf(error.getMessage())));
		});
	}

	private static void noteLocal(Conversation conversation, Transcript transcript) {
		if (conversation.channel().localAddress() instanceof InetSocketAddress local) {
			transcript.connected(local.getAddress());
		}
	}

	private static void abort(ChannelFuture connecting) {
		ChannelFuture _ = connecting.channel().close();
	}

	/**
	 * Uses Reactor Netty's event loops. The handlers are in the pipeline before the
	 * connection reads anything.
	 */
	private Bootstrap bootstrap(String host, Transcript transcript, Sinks.One<Conversation> connected) {
		TcpResources resources = TcpResources.get();
		EventLoopGroup loops = resources.onClient(LoopResources.DEFAULT_NATIVE);
		return new Bootstrap().group(loops)
			.channelFactory(() -> resources.onChannel(SocketChannel.class, loops))
			.option(ChannelOption.TCP_NODELAY, true)
			.option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) this.options.connectTimeout().toMillis())
			.handler(new ChannelInitializer<>() {
				@Override
				protected void initChannel(Channel channel) {
					channel.config().setOption(NO_PORT, true);
					addHandlers(channel, host, new Conversation(channel, connected, transcript));
				}
			});
	}

	private void addHandlers(Channel channel, String host, Conversation conversation) {
		if (this.options.tls() == TlsMode.IMPLICIT) {
			channel.pipeline().addLast(Conversation.TLS, tlsHandler(channel, host));
		}
		channel.pipeline().addLast(DECODER, new ReplyDecoder()).addLast(new SmtpRequestEncoder()).addLast(conversation);
	}

	private SslHandler tlsHandler(Channel channel, String host) {
		String name = Objects.requireNonNullElse(this.options.serverName(), host);
		SslHandler handler = this.options.context().newHandler(channel.alloc(), name, SMTP_PORT);
		handler.setHandshakeTimeout(HANDSHAKE_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
		return handler;
	}

	/**
	 * Begins TLS. Unread input received before it is discarded, because it may have been
	 * injected.
	 */
	private Mono<Void> encrypt(Conversation conversation, String host) {
		return Mono.create((sink) -> {
			Channel channel = conversation.channel();
			channel.eventLoop().execute(() -> {
				if (!channel.isActive()) {
					sink.error(new IOException("The connection was lost"));
					return;
				}
				SslHandler handler = tlsHandler(channel, host);
				// Removed and added again: replacing the decoder would pass its unread
				// bytes on to the new one.
				channel.pipeline().remove(DECODER);
				channel.pipeline().addFirst(DECODER, new ReplyDecoder()).addFirst(Conversation.TLS, handler);
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

	private Mono<SmtpSession> introduce(Conversation conversation, String host, String helo) {
		return positive(conversation.greeting().timeout(replyTimeout()))
			.then(Mono.defer(() -> ehlo(conversation, helo)))
			.flatMap((extensions) -> startTls(conversation, extensions, host, helo))
			.flatMap((extensions) -> authenticate(conversation, extensions))
			.map((extensions) -> {
				conversation.transcript().secured(conversation.tls());
				return new SmtpSession(conversation, extensions, this.options);
			});
	}

	/**
	 * Falls back to HELO if the server does not implement EHLO (RFC 5321 section 3.2).
	 */
	private Mono<Extensions> ehlo(Conversation conversation, String helo) {
		return conversation.send(replyTimeout(), SmtpRequests.ehlo(helo))
			.flatMap((reply) -> NOT_IMPLEMENTED.contains(reply.code()) ? helo(conversation, helo)
					: positive(Mono.just(reply)).map(Extensions::of));
	}

	private Mono<Extensions> helo(Conversation conversation, String helo) {
		return positive(conversation.send(replyTimeout(), SmtpRequests.helo(helo)))
			.map((_) -> new Extensions(Map.of()));
	}

	private Mono<Extensions> startTls(Conversation conversation, Extensions extensions, String host, String helo) {
		boolean offered = extensions.has("STARTTLS");
		boolean wanted = switch (this.options.tls()) {
			case NONE, IMPLICIT -> false;
			case STARTTLS -> offered;
			case REQUIRED -> true;
		};
		if (!wanted) {
			return Mono.just(extensions);
		}
		if (!offered) {
			return new SmtpSession(conversation, extensions, this.options).quit()
				.then(Mono.error(new NoTls("TLS is required and the server does not offer STARTTLS")));
		}
		SmtpRequest startTls = new DefaultSmtpRequest(SmtpCommand.valueOf("STARTTLS"));
		return positive(conversation.send(replyTimeout(), startTls))
			.then(Mono.defer(() -> encrypt(conversation, host).timeout(replyTimeout())))
			.onErrorMap((error) -> new NoTls(error, this.auth != null))
			.then(Mono.defer(() -> ehlo(conversation, helo)));
	}

	private Mono<Extensions> authenticate(Conversation conversation, Extensions extensions) {
		return (this.auth == null) ? Mono.just(extensions)
				: this.auth.authenticate(conversation, extensions, this.options.tls(), replyTimeout());
	}

	private Duration replyTimeout() {
		return this.options.replyTimeout();
	}

	/** The reply, or the error {@link RefusedSession} if it is not positive. */
	private static Mono<Reply> positive(Mono<Reply> reply) {
		return reply.flatMap((value) -> value.isPositive() ? Mono.just(value) : Mono.error(new RefusedSession(value)));
	}

	/** TLS could not be established, or is required and not offered. */
	static final class NoTls extends IOException {

		@Serial
		private static final long serialVersionUID = 1L;

		NoTls(String message) {
			super(message);
		}

		/**
		 * Creates the error.
		 * @param withPassword whether a valid certificate is required for the password
		 */
		NoTls(Throwable cause, boolean withPassword) {
			super("TLS failed: " + Objects.requireNonNullElse(cause.getMessage(), "the connection was lost")
					+ (withPassword ? ". The password is sent only to a server with a valid certificate: "
							+ "MAILROOM_RELAY_CA_FILE names its authority" : ""),
					cause);
		}

	}

	/** This machine does not have a local address, or no free port of it. */
	static final class NotBound extends IOException {

		@Serial
		private static final long serialVersionUID = 1L;

		NotBound(InetAddress address, Throwable cause) {
			super("This worker does not have the address " + address.getHostAddress(), cause);
		}

	}

	/**
	 * A local address.
	 *
	 * @param helo name sent with EHLO
	 */
	record From(InetAddress address, String helo) {
	}

	/** The server refused a command before the first mail. */
	static final class RefusedSession extends IOException {

		@Serial
		private static final long serialVersionUID = 1L;

		private final String reply;

		RefusedSession(Reply reply) {
			super("The server refused the session: " + reply.text());
			this.reply = reply.text();
		}

		/** Code and text of the reply. */
		String reply() {
			return this.reply;
		}

	}

	/** Credentials for AUTH (RFC 4954). */
	record SmtpAuth(String user, String password) {

		/**
		 * Authenticates with PLAIN, or else LOGIN. With {@link TlsMode#STARTTLS} the
		 * password is not sent unless the connection is encrypted, to a server with a
		 * valid certificate.
		 */
		Mono<Extensions> authenticate(Conversation conversation, Extensions extensions, TlsMode tls, Duration timeout) {
			if (tls == TlsMode.STARTTLS && !conversation.isEncrypted()) {
				return Mono
					.error(new IOException("The server offers no TLS and the password is not sent without it: set "
							+ "MAILROOM_RELAY_TLS to none to permit that"));
			}
			if (extensions.mechanisms().contains("PLAIN")) {
				String credentials = base64("\0" + this.user + "\0" + this.password);
				return positive(conversation.send(timeout, SmtpRequests.auth("PLAIN", credentials)))
					.thenReturn(extensions);
			}
			if (extensions.mechanisms().contains("LOGIN")) {
				return conversation.send(timeout, SmtpRequests.auth("LOGIN"))
					.then(Mono.defer(() -> conversation.send(timeout, line(base64(this.user)))))
					.then(Mono.defer(() -> positive(conversation.send(timeout, line(base64(this.password))))))
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

		/** Leaves the password out. */
		@Override
		public String toString() {
			return "SmtpAuth[user=" + this.user + "]";
		}

	}

	/**
	 * Options of the sessions of one transport.
	 *
	 * @param transport name of the transport
	 * @param helo name sent with EHLO
	 * @param last whether a 250 of the server means delivered, and not only sent
	 * @param serverName name sent at the begin of TLS (SNI); null for that of the host
	 * @param connectTimeout limit on a connection to one address
	 * @param replyTimeout limit on one reply, and on all replies before a mail's body
	 * together
	 * @param dotTimeout limit on the reply to the final dot (RFC 5321 section 4.5.3.2.6)
	 */
	record SessionOptions(String transport, String helo, boolean last, TlsMode tls, SslContext context,
			@Nullable String serverName, Duration connectTimeout, Duration replyTimeout, Duration dotTimeout) {

		/**
		 * Creates the TLS context. {@link TlsMode#STARTTLS} accepts any certificate
		 * (opportunistic security, RFC 7435).
		 * @param caFile trusted certificates (PEM); null or blank for the public
		 * authorities
		 */
		public static SslContext context(TlsMode tls, @Nullable Path caFile) {
			try {
				SslContextBuilder builder = SslContextBuilder.forClient();
				if (tls == TlsMode.STARTTLS) {
					return builder.trustManager(InsecureTrustManagerFactory.INSTANCE)
						.endpointIdentificationAlgorithm(null)
						.build();
				}
				if (caFile != null && !caFile.toString().isBlank()) {
					builder.trustManager(caFile.toFile());
				}
				return builder.build();
			}
			catch (SSLException ex) {
				throw new IllegalStateException("The TLS context for outgoing SMTP cannot be created", ex);
			}
		}

	}

	/** Use of TLS on outgoing connections. */
	enum TlsMode {

		/** No TLS. */
		NONE,
		/**
		 * STARTTLS if offered, with any certificate (RFC 7435); with a valid one if a
		 * password is sent.
		 */
		STARTTLS,
		/** STARTTLS with a valid certificate; otherwise no mail is sent. */
		REQUIRED,
		/** TLS from the first byte, with a valid certificate (RFC 8314). */
		IMPLICIT;

		/** Whether every connection is encrypted and its certificate is verified. */
		public boolean isVerified() {
			return this == REQUIRED || this == IMPLICIT;
		}

	}

}
