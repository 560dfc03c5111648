package dev.mailroom.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import reactor.netty.NettyPipeline;

import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

/**
 * Adds the body and the headers of the contract to the HTTP server's own responses: to
 * requests whose head cannot be parsed or is too long, and to those that do not arrive in
 * time. The responses of the app have an id already.
 */
@Component
class UnreadableRequests implements WebServerFactoryCustomizer<NettyReactiveWebServerFactory> {

	private final ErrorWriter errors;

	UnreadableRequests(ErrorWriter errors) {
		this.errors = errors;
	}

	@Override
	public void customize(NettyReactiveWebServerFactory factory) {
		factory.addServerCustomizers(
				(server) -> server.doOnChannelInit((_, channel, _) -> addHandler(channel.pipeline())));
	}

	private void addHandler(ChannelPipeline pipeline) {
		if (pipeline.get(NettyPipeline.HttpCodec) != null) {
			pipeline.addAfter(NettyPipeline.HttpCodec, null, new Responses(this.errors));
		}
	}

	/** Handler of one connection. */
	static final class Responses extends ChannelOutboundHandlerAdapter {

		private final ErrorWriter errors;

		Responses(ErrorWriter errors) {
			this.errors = errors;
		}

		@Override
		public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
			if (message instanceof FullHttpResponse response && response.status().code() >= 400
					&& !response.headers().contains(RequestIds.HEADER)) {
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

}
