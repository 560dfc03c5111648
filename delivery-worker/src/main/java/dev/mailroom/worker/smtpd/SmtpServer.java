package dev.mailroom.worker.smtpd;

import java.net.InetSocketAddress;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.NettyInbound;
import reactor.netty.NettyOutbound;
import reactor.netty.NettyPipeline;
import reactor.netty.tcp.TcpServer;

/** Lets SMTP clients in. What becomes of their mail is its handler's business. */
public final class SmtpServer implements AutoCloseable {

	private static final String NAME = "smtp";

	private final SmtpServerOptions terms;

	private final SmtpHandler handler;

	private final ConnectionLimits room;

	private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

	private @Nullable DisposableServer server;

	/** A server that does not listen yet. */
	public SmtpServer(SmtpServerOptions terms, SmtpHandler handler) {
		this.terms = terms;
		this.handler = handler;
		this.room = new ConnectionLimits(terms.limits());
	}

	/** Returns once it listens. */
	public void start() {
		this.server = TcpServer.create()
			.bindAddress(() -> this.terms.host().isBlank() ? new InetSocketAddress(this.terms.port())
					: new InetSocketAddress(this.terms.host(), this.terms.port()))
			.childOption(ChannelOption.TCP_NODELAY, true)
			.doOnChannelInit((_, channel, _) -> meet(channel))
			.handle(SmtpServer::converse)
			.bindNow();
	}

	/**
	 * The protocol stands before Reactor Netty's own end of the connection, which starts
	 * and ends the handlers' work with it.
	 */
	private void meet(Channel channel) {
		if (channel.remoteAddress() instanceof InetSocketAddress address) {
			this.connections.add(channel);
			channel.pipeline()
				.addBefore(NettyPipeline.ReactiveBridge, NAME,
						new SmtpConnection(this.terms, this.handler, this.room, address));
		}
	}

	private static Publisher<Void> converse(NettyInbound in, NettyOutbound out) {
		return Mono
			.<SmtpConnection>create((sink) -> in.withConnection(
					(connection) -> sink.success(connection.channel().pipeline().get(SmtpConnection.class))))
			.flatMapMany(SmtpConnection::work);
	}

	/** The port it listens on. */
	public int port() {
		return (this.server != null) ? this.server.port() : this.terms.port();
	}

	/**
	 * Lets nobody else in, and says goodbye to everybody; what is under way has a little
	 * time to end.
	 */
	@Override
	public void close() {
		if (this.server == null) {
			return;
		}
		this.server.disposeNow();
		for (Channel channel : this.connections) {
			ChannelHandlerContext context = channel.pipeline().context(NAME);
			if (context != null && context.handler() instanceof SmtpConnection connection) {
				connection.stop(context);
			}
		}
		this.connections.newCloseFuture().awaitUninterruptibly(this.terms.limits().drain().toMillis());
		this.connections.close();
	}

}
