package dev.mailroom.worker.smtp.server;

import java.net.InetSocketAddress;
import java.util.List;

import dev.mailroom.Bounded;
import dev.mailroom.account.Networks;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.ChannelGroupFuture;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.haproxy.HAProxyMessageDecoder;
import io.netty.util.concurrent.GlobalEventExecutor;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.NettyInbound;
import reactor.netty.NettyOutbound;
import reactor.netty.NettyPipeline;
import reactor.netty.tcp.TcpServer;

/** SMTP server on one port. */
public final class SmtpServer implements AutoCloseable {

	private static final String HANDLER = "smtp";

	private final SmtpServerOptions options;

	private final SmtpHandler handler;

	private final ConnectionLimits limits;

	private final Networks proxies;

	private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

	private @Nullable DisposableServer server;

	/** Creates a server that is not started. */
	public SmtpServer(SmtpServerOptions options, SmtpHandler handler) {
		this(options, handler, Networks.NONE);
	}

	/**
	 * Creates a server that is not started.
	 * @param proxies whose connections begin with the PROXY protocol
	 */
	public SmtpServer(SmtpServerOptions options, SmtpHandler handler, Networks proxies) {
		this.options = options;
		this.handler = handler;
		this.proxies = proxies;
		this.limits = new ConnectionLimits(options.limits());
	}

	/** Starts the listener; returns when it is bound. */
	public void start() {
		this.server = TcpServer.create()
			.bindAddress(() -> this.options.host().isBlank() ? new InetSocketAddress(this.options.port())
					: new InetSocketAddress(this.options.host(), this.options.port()))
			.childOption(ChannelOption.TCP_NODELAY, true)
			.doOnChannelInit((_, channel, _) -> addHandler(channel))
			.handle(SmtpServer::handle)
			.bindNow();
	}

	/**
	 * Adds the protocol before Reactor Netty's own handler, which subscribes to the
	 * handler calls and cancels them with the connection.
	 */
	private void addHandler(Channel channel) {
		if (channel.remoteAddress() instanceof InetSocketAddress address) {
			this.connections.add(channel);
			if (this.proxies.contain(address.getAddress())) {
				channel.pipeline()
					.addBefore(NettyPipeline.ReactiveBridge, null, new HAProxyMessageDecoder())
					.addBefore(NettyPipeline.ReactiveBridge, null,
							new ProxiedConnection(address, HANDLER, this::handler));
			}
			else {
				channel.pipeline().addBefore(NettyPipeline.ReactiveBridge, HANDLER, handler(address));
			}
		}
	}

	private SmtpConnection handler(InetSocketAddress client) {
		return new SmtpConnection(this.options, this.handler, this.limits, client);
	}

	private static Publisher<Void> handle(NettyInbound in, NettyOutbound out) {
		return Mono
			.<SmtpConnection>create((sink) -> in.withConnection(
					(connection) -> sink.success(connection.channel().pipeline().get(SmtpConnection.class))))
			.flatMapMany(SmtpConnection::calls);
	}

	/**
	 * The limits of all connections together.
	 * @param listener name of the listener, with which the names of the resources begin
	 */
	List<Bounded.Limit> limits(String listener) {
		return this.limits.limits(listener);
	}

	/** Port of the listener. */
	public int port() {
		return (this.server != null) ? this.server.port() : this.options.port();
	}

	/**
	 * Stops the listener and closes all connections; transactions in progress may end
	 * within the drain timeout.
	 */
	@Override
	public void close() {
		if (this.server == null) {
			return;
		}
		this.server.disposeNow();
		for (Channel channel : this.connections) {
			ChannelHandlerContext context = channel.pipeline().context(HANDLER);
			if (context != null && context.handler() instanceof SmtpConnection connection) {
				connection.stop(context);
			}
			else {
				ChannelFuture _ = channel.close();
			}
		}
		this.connections.newCloseFuture().awaitUninterruptibly(this.options.limits().drain().toMillis());
		ChannelGroupFuture _ = this.connections.close();
	}

}
