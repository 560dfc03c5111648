package dev.mailroom.worker.smtp.server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.haproxy.HAProxyCommand;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import io.netty.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Start of a connection from a proxy: waits for the header of the PROXY protocol (version
 * 1 or 2), which names the client, and then gives the connection to the handler for that
 * client. A header that is late or wrong closes the connection.
 */
final class ProxiedConnection extends ChannelInboundHandlerAdapter {

	private static final Logger log = LoggerFactory.getLogger(ProxiedConnection.class);

	private static final Duration HEADER_TIMEOUT = Duration.ofSeconds(10);

	private final InetSocketAddress proxy;

	private final String name;

	private final Function<InetSocketAddress, SmtpConnection> handlers;

	private @Nullable ScheduledFuture<?> timer;

	/**
	 * Creates a handler for one connection.
	 * @param proxy address of the proxy
	 * @param name name in the pipeline of the handler that follows
	 * @param handlers create the handler of a client
	 */
	ProxiedConnection(InetSocketAddress proxy, String name, Function<InetSocketAddress, SmtpConnection> handlers) {
		this.proxy = proxy;
		this.name = name;
		this.handlers = handlers;
	}

	/** Hidden from the handlers that follow until the client is known. */
	@Override
	public void channelActive(ChannelHandlerContext context) {
		this.timer = context.executor().schedule(() -> {
			log.warn("{} has sent no header of the PROXY protocol", this.proxy);
			ChannelFuture _ = context.close();
		}, HEADER_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
		context.read();
	}

	@Override
	public void channelRead(ChannelHandlerContext context, Object message) {
		HAProxyMessage header = (HAProxyMessage) message;
		try {
			cancel();
			context.pipeline().addAfter(context.name(), this.name, this.handlers.apply(client(header)));
			context.fireChannelActive();
			context.pipeline().remove(this);
		}
		finally {
			header.release();
		}
	}

	@Override
	public void channelReadComplete(ChannelHandlerContext context) {
		context.read();
	}

	/**
	 * The proxy itself for its own checks (LOCAL), and if it does not know the client.
	 */
	private InetSocketAddress client(HAProxyMessage header) {
		@Nullable String address = header.sourceAddress();
		return switch (header.proxiedProtocol().addressFamily()) {
			case AF_IPv4, AF_IPv6 -> (header.command() == HAProxyCommand.PROXY && address != null)
					? new InetSocketAddress(InetAddress.ofLiteral(address), header.sourcePort()) : this.proxy;
			case AF_UNIX, AF_UNSPEC -> this.proxy;
		};
	}

	@Override
	public void channelInactive(ChannelHandlerContext context) {
		cancel();
	}

	@Override
	public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
		log.warn("The connection of the proxy {} does not begin with the PROXY protocol: {}", this.proxy,
				String.valueOf(cause.getMessage()));
		ChannelFuture _ = context.close();
	}

	private void cancel() {
		if (this.timer != null) {
			this.timer.cancel(false);
		}
	}

}
