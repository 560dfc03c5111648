package dev.mailroom.observability.connection;

import java.util.concurrent.TimeUnit;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import org.jspecify.annotations.Nullable;

/**
 * Closes the connection of a client that does not read its response. A slow client that
 * reads something from time to time is not affected.
 */
final class StalledReader extends IdleStateHandler {

	StalledReader(long timeout, TimeUnit unit) {
		super(true, 0, timeout, 0, unit);
	}

	@Override
	protected void channelIdle(ChannelHandlerContext context, IdleStateEvent event) {
		@Nullable ChannelOutboundBuffer waiting = context.channel().unsafe().outboundBuffer();
		if (waiting != null && !waiting.isEmpty()) {
			ChannelFuture _ = context.close();
		}
	}

}
