package dev.mailroom.api.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;

/**
 * Adds the body and the headers of the contract to the server's own responses: to
 * requests whose head cannot be parsed or is too long, and to those that do not arrive in
 * time. The responses of the app have an id already.
 */
final class UnreadableRequests extends ChannelOutboundHandlerAdapter {

	private final ErrorWriter errors;

	UnreadableRequests(ErrorWriter errors) {
		this.errors = errors;
	}

	@Override
	public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
		if (message instanceof FullHttpResponse response && response.status().code() >= 400
				&& !response.headers().contains("X-Request-Id")) {
			FullHttpResponse complete = complete(response.status().code());
			ReferenceCountUtil.release(message);
			ChannelFuture _ = context.write(complete, promise);
		}
		else {
			ChannelFuture _ = context.write(message, promise);
		}
	}

	private FullHttpResponse complete(int status) {
		ErrorWriter.Unread unread = this.errors.unread(status);
		FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1,
				HttpResponseStatus.valueOf(unread.status()), Unpooled.wrappedBuffer(unread.body()));
		unread.headers().forEach((name, values) -> response.headers().set(name, values));
		response.headers()
			.set(HttpHeaderNames.CONTENT_LENGTH, unread.body().length)
			.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
		return response;
	}

}
