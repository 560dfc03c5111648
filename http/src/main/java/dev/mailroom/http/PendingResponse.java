package dev.mailroom.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.server.HttpServerRequest;

import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;

/** Response that the server has accepted but not yet sent completely. */
public final class PendingResponse {

	private PendingResponse() {
	}

	/**
	 * Runs an action when the bytes written so far in answer to a request have been
	 * passed to the network, or their connection has been closed. The server reports a
	 * response as complete earlier, while its client may not have read any of it.
	 */
	public static void whenSent(ServerHttpRequest request, Runnable action) {
		HttpServerRequest server = ServerHttpRequestDecorator.getNativeRequest(request);
		server.withConnection((connection) -> whenSent(connection.channel(), action));
	}

	/** A connection that was closed meanwhile has no handlers any more. */
	static void whenSent(Channel channel, Runnable action) {
		@Nullable ChannelHandlerContext first = channel.pipeline().firstContext();
		if (first == null) {
			action.run();
			return;
		}
		ChannelFuture _ = first.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener((_) -> action.run());
	}

}
