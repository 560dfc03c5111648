package dev.mailroom.account;

import java.net.InetAddress;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TrustedProxiesTest {

	@Test
	void theClientBehindATrustedProxyIsTheLastAddressThatIsNotOne() {
		TrustedProxies proxies = new TrustedProxies(
				new TrustedProxies.Settings(List.of("10.0.0.0/9", " 192.0.2.7", "")));
		InetAddress proxy = InetAddress.ofLiteral("10.127.0.1");
		assertThat(proxies.client(proxy, List.of("1.1.1.1, 8.8.8.8", "192.0.2.7")))
			.isEqualTo(InetAddress.ofLiteral("8.8.8.8"));
		assertThat(proxies.client(proxy, List.of("nonsense"))).isEqualTo(proxy);
		assertThat(proxies.client(proxy, List.of())).isEqualTo(proxy);
		InetAddress stranger = InetAddress.ofLiteral("10.128.0.1");
		assertThat(proxies.client(stranger, List.of("8.8.8.8"))).isEqualTo(stranger);
	}

}
