package dev.mailroom;

import java.net.InetAddress;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ClientNetworkTest {

	@Test
	void requestsOfTheMachineItselfHaveNoNetworkUnlessTheyWereForwarded() {
		assertThat(network("127.0.0.1", false)).isEmpty();
		assertThat(network("::1", false)).isEmpty();
		assertThat(network(null, true)).isEmpty();
		assertThat(network("127.0.0.1", true)).as("a proxy on the machine that is not trusted").isNotEmpty();
		assertThat(network("::1", true)).isNotEmpty();
	}

	@Test
	void addressesOfOneNetworkAreCountedTogether() {
		assertThat(network("2001:db8::1", false)).isEqualTo(network("2001:db8::ffff:1", true))
			.isNotEqualTo(network("2001:db8:0:1::1", false));
		assertThat(network("192.0.2.1", false)).isNotEqualTo(network("192.0.2.2", false));
	}

	@Test
	void onlyIpv6NetworksHaveASiteAroundThem() {
		assertThat(site("2001:db8::1")).isEqualTo(site("2001:db8:0:1::1")).isNotEqualTo(site("2001:db8:1::1"));
		assertThat(site("192.0.2.1")).isEmpty();
		assertThat(site("::1")).isEmpty();
	}

	private static String site(String address) {
		return ClientNetwork.site().contextWrite(ClientNetwork.context(InetAddress.ofLiteral(address), false)).block();
	}

	private static String network(@Nullable String address, boolean forwarded) {
		@Nullable InetAddress client = (address != null) ? InetAddress.ofLiteral(address) : null;
		return ClientNetwork.current().contextWrite(ClientNetwork.context(client, forwarded)).block();
	}

}
