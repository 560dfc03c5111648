package dev.mailroom.http;

import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import dev.mailroom.ClientNetwork;
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

	private final Map<String, Integer> bySite = new ConcurrentHashMap<>();

	OpenConnections(int max, int maxEach) {
		this.max = max;
		this.maxEach = maxEach;
	}

	/** Handler that counts one connection. */
	ChannelHandler handler() {
		return new Counting();
	}

	/** Connections open at present. */
	int open() {
		return this.total.get();
	}

	private boolean enter(Client client) {
		int open = this.total.incrementAndGet();
		int ofOwner = this.byOwner.merge(client.owner(), 1, Integer::sum);
		int ofSite = this.bySite.merge(client.site(), 1, Integer::sum);
		boolean permitted = this.maxEach == 0
				|| (ofOwner <= this.maxEach && ofSite <= (long) this.maxEach * ClientNetwork.SITE_FACTOR);
		return permitted && (this.max == 0 || open <= this.max);
	}

	private void leave(Client client) {
		this.total.decrementAndGet();
		this.byOwner.computeIfPresent(client.owner(), (_, count) -> (count > 1) ? count - 1 : null);
		this.bySite.computeIfPresent(client.site(), (_, count) -> (count > 1) ? count - 1 : null);
	}

	/**
	 * Client of a connection.
	 *
	 * @param owner its network
	 * @param site the larger network around it
	 */
	private record Client(String owner, String site) {

		static final Client UNKNOWN = new Client("", "");

		static Client of(Channel channel) {
			return (channel.remoteAddress() instanceof InetSocketAddress remote)
					? new Client(ClientNetwork.text(remote.getAddress()), ClientNetwork.site(remote.getAddress()))
					: UNKNOWN;
		}

	}

	private final class Counting extends ChannelInboundHandlerAdapter {

		private Client client = Client.UNKNOWN;

		@Override
		public void channelActive(ChannelHandlerContext context) {
			this.client = Client.of(context.channel());
			if (enter(this.client)) {
				context.fireChannelActive();
			}
			else {
				ChannelFuture _ = context.close();
			}
		}

		@Override
		public void channelInactive(ChannelHandlerContext context) {
			leave(this.client);
			context.fireChannelInactive();
		}

	}

}
