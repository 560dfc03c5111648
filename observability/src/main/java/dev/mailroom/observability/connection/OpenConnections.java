package dev.mailroom.observability.connection;

import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import dev.mailroom.client.ClientNetwork;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Counts of the open connections, in total and per owner of an address. Connections above
 * a limit are closed without a response.
 */
final class OpenConnections {

	private final int max;

	private final int maxEach;

	private final AtomicInteger total = new AtomicInteger();

	private final Map<String, Integer> byOwner = new ConcurrentHashMap<>();

	OpenConnections(int max, int maxEach) {
		this.max = max;
		this.maxEach = maxEach;
	}

	/** Handler that counts one connection. */
	ChannelHandler handler() {
		return new Counting();
	}

	private boolean enter(String owner) {
		int open = this.total.incrementAndGet();
		int ofOwner = this.byOwner.merge(owner, 1, Integer::sum);
		return (this.max == 0 || open <= this.max) && (this.maxEach == 0 || ofOwner <= this.maxEach);
	}

	private void leave(String owner) {
		this.total.decrementAndGet();
		this.byOwner.computeIfPresent(owner, (_, count) -> (count > 1) ? count - 1 : null);
	}

	private static String owner(Channel channel) {
		return (channel.remoteAddress() instanceof InetSocketAddress remote) ? ClientNetwork.text(remote.getAddress())
				: "";
	}

	private final class Counting extends ChannelInboundHandlerAdapter {

		private String owner = "";

		@Override
		public void channelActive(ChannelHandlerContext context) {
			this.owner = owner(context.channel());
			if (enter(this.owner)) {
				context.fireChannelActive();
			}
			else {
				ChannelFuture _ = context.close();
			}
		}

		@Override
		public void channelInactive(ChannelHandlerContext context) {
			leave(this.owner);
			context.fireChannelInactive();
		}

	}

}
