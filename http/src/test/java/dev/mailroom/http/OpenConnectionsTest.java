package dev.mailroom.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.stream.IntStream;

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

	@Test
	void theConnectionsOfAnIpv6SiteAreLimitedTogether() {
		OpenConnections open = new OpenConnections(0, 2);
		List<EmbeddedChannel> channels = IntStream.range(0, 9)
			.mapToObj((network) -> connection(open, "2001:db8:1:" + network + "::1"))
			.toList();
		assertThat(channels).extracting(EmbeddedChannel::isOpen)
			.containsExactly(true, true, true, true, true, true, true, true, false);
		assertThat(connection(open, "2001:db8:2::1").isOpen()).isTrue();
		assertThat(channels.getFirst().close().isSuccess()).isTrue();
		assertThat(connection(open, "2001:db8:1:a::1").isOpen()).isTrue();
	}

	private static EmbeddedChannel connection(OpenConnections open, String address) {
		return new EmbeddedChannel(open.handler()) {

			@Override
			protected SocketAddress remoteAddress0() {
				return new InetSocketAddress(InetAddress.ofLiteral(address), 25);
			}

		};
	}

}
