package dev.mailroom.http;

import java.util.concurrent.atomic.AtomicInteger;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PendingResponseTest {

	private final AtomicInteger runs = new AtomicInteger();

	private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelDuplexHandler());

	@Test
	void theActionRunsOnceTheBytesWrittenBeforeArePassedToTheNetwork() {
		ChannelFuture _ = this.channel.writeOneOutbound(Unpooled.wrappedBuffer(new byte[] { 1 }));
		assertThat(this.channel.outboundMessages()).isEmpty();
		PendingResponse.whenSent(this.channel, this.runs::incrementAndGet);
		assertThat(this.channel.outboundMessages()).isNotEmpty();
		assertThat(this.runs).hasValue(1);
		this.channel.releaseOutbound();
	}

	@Test
	void theActionRunsIfTheConnectionHasBeenClosedMeanwhile() {
		ChannelFuture _ = this.channel.close();
		this.channel.runPendingTasks();
		assertThat(this.channel.pipeline().firstContext()).isNull();
		PendingResponse.whenSent(this.channel, this.runs::incrementAndGet);
		assertThat(this.runs).hasValue(1);
	}

}
