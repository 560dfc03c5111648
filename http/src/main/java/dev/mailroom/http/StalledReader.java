package dev.mailroom.http;

import java.util.concurrent.TimeUnit;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Closes the connection of a client that reads nothing of its response for a time, or
 * reads it slower than a minimum rate on average, because a response that waits occupies
 * memory.
 */
final class StalledReader extends ChannelDuplexHandler {

	/** Bytes per second that a client has to read. */
	static final long MIN_RATE = 16_000;

	private final long timeoutNanos;

	private final long minRate;

	/** Bytes written since bytes began to wait for the client. */
	private long written;

	/** Time at which bytes began to wait for the client. */
	private long since;

	/** Bytes of these that the client had read at the last check. */
	private long readBefore;

	private @Nullable Future<?> check;

	StalledReader(long timeout, TimeUnit unit, long minRate) {
		this.timeoutNanos = unit.toNanos(timeout);
		this.minRate = minRate;
	}

	@Override
	public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
		if (waiting(context) == 0) {
			this.written = 0;
			this.readBefore = Long.MIN_VALUE;
			this.since = context.executor().ticker().nanoTime();
		}
		this.written += (message instanceof ByteBuf bytes) ? bytes.readableBytes() : 0;
		if (this.check == null && this.timeoutNanos > 0) {
			schedule(context);
		}
		super.write(context, message, promise);
	}

	@Override
	public void channelInactive(ChannelHandlerContext context) throws Exception {
		if (this.check != null) {
			this.check.cancel(false);
		}
		super.channelInactive(context);
	}

	private void schedule(ChannelHandlerContext context) {
		this.check = context.executor().schedule(() -> check(context), this.timeoutNanos, TimeUnit.NANOSECONDS);
	}

	private void check(ChannelHandlerContext context) {
		this.check = null;
		long waiting = waiting(context);
		if (waiting == 0) {
			return;
		}
		long read = this.written - waiting;
		long nanos = context.executor().ticker().nanoTime() - this.since;
		if (read <= this.readBefore
				|| nanos > this.timeoutNanos + TimeUnit.SECONDS.toNanos(1) / this.minRate * Math.max(0, read)) {
			ChannelFuture _ = context.close();
		}
		else {
			this.readBefore = read;
			schedule(context);
		}
	}

	/** Bytes that wait for the client. */
	private static long waiting(ChannelHandlerContext context) {
		@Nullable ChannelOutboundBuffer buffer = context.channel().unsafe().outboundBuffer();
		return (buffer == null || buffer.isEmpty()) ? 0
				: Math.max(1, buffer.totalPendingWriteBytes() - buffer.currentProgress());
	}

}
