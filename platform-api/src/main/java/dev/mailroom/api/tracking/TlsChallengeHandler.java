package dev.mailroom.api.tracking;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslClientHelloHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.NettyPipeline;

/**
 * Answers an authority that proves an order of a certificate in the TLS handshake (RFC
 * 8737): a connection whose only protocol (ALPN) is {@code acme-tls/1} ends after it. All
 * others are passed on.
 */
final class TlsChallengeHandler extends SslClientHelloHandler<Optional<SslContext>> {

	static final String PROTOCOL = "acme-tls/1";

	private static final int SERVER_NAME = 0;

	private static final int APPLICATION_PROTOCOLS = 16;

	/** Version and random bytes at the begin of a ClientHello (RFC 8446 4.1.2). */
	private static final int FIXED = 34;

	/** Length and kind of the first name, and length of the list (RFC 6066 3). */
	private static final int NAME_AT = 5;

	/** Length of the list (RFC 7301 3.1). */
	private static final int PROTOCOL_AT = 2;

	private final Function<String, Mono<SslContext>> contexts;

	/**
	 * Creates the handler.
	 * @param contexts finds the context of a name in lower case; empty if it is not
	 * proved
	 */
	TlsChallengeHandler(Function<String, Mono<SslContext>> contexts) {
		this.contexts = contexts;
	}

	@Override
	protected Future<Optional<SslContext>> lookup(ChannelHandlerContext ctx, @Nullable ByteBuf hello) {
		Promise<Optional<SslContext>> promise = ctx.executor().newPromise();
		Optional<String> name = (hello != null) ? challenged(hello) : Optional.empty();
		if (name.isEmpty()) {
			return promise.setSuccess(Optional.empty());
		}
		this.contexts.apply(name.get())
			.map(Optional::of)
			.defaultIfEmpty(Optional.empty())
			.subscribe(promise::trySuccess, promise::tryFailure);
		return promise;
	}

	@Override
	protected void onLookupComplete(ChannelHandlerContext ctx, Future<Optional<SslContext>> future) {
		if (!future.isSuccess()) {
			ChannelFuture _ = ctx.close();
			return;
		}
		future.getNow().ifPresentOrElse((context) -> {
			ctx.pipeline().remove(NettyPipeline.SslHandler);
			SslHandler tls = context.newHandler(ctx.alloc());
			Future<Channel> _ = tls.handshakeFuture().addListener((_) -> {
				ChannelFuture _ = ctx.close();
			});
			ctx.pipeline().replace(this, null, tls);
		}, () -> ctx.pipeline().remove(this));
	}

	/** The name in a ClientHello of an authority; empty for all others. */
	private static Optional<String> challenged(ByteBuf hello) {
		ByteBuf in = hello.slice().skipBytes(FIXED);
		in.skipBytes(in.readUnsignedByte());
		in.skipBytes(in.readUnsignedShort());
		in.skipBytes(in.readUnsignedByte());
		String name = "";
		String protocol = "";
		ByteBuf extensions = in.isReadable() ? in.readSlice(in.readUnsignedShort()) : in;
		while (extensions.isReadable()) {
			int kind = extensions.readUnsignedShort();
			ByteBuf extension = extensions.readSlice(extensions.readUnsignedShort());
			if (kind == SERVER_NAME && extension.readableBytes() > NAME_AT) {
				name = extension.toString(NAME_AT, extension.readableBytes() - NAME_AT, StandardCharsets.US_ASCII);
			}
			else if (kind == APPLICATION_PROTOCOLS && extension.readableBytes() > PROTOCOL_AT) {
				protocol = extension.skipBytes(PROTOCOL_AT).toString(StandardCharsets.US_ASCII).substring(1);
			}
		}
		return (protocol.equals(PROTOCOL) && !name.isEmpty()) ? Optional.of(name.toLowerCase(Locale.ROOT))
				: Optional.empty();
	}

}
