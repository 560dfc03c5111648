package dev.mailroom.observability.connection;

import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OpenConnectionsTest {

	@Test
	void connectionsAboveALimitAreClosedUntilOthersEnd() {
		for (OpenConnections open : new OpenConnections[] { new OpenConnections(2, 0), new OpenConnections(0, 2) }) {
			EmbeddedChannel first = new EmbeddedChannel(open.handler());
			EmbeddedChannel second = new EmbeddedChannel(open.handler());
			assertThat(new EmbeddedChannel(open.handler()).isOpen()).isFalse();
			assertThat(second.close().isSuccess()).isTrue();
			assertThat(new EmbeddedChannel(open.handler()).isOpen()).isTrue();
			assertThat(first.isOpen()).isTrue();
		}
	}

}
