package dev.mailroom.worker.smtp.server;

import java.net.InetAddress;
import java.util.stream.IntStream;

import dev.mailroom.ClientNetwork;
import dev.mailroom.worker.smtp.server.InboundHandler.InboundRate;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class InboundRateTest {

	private static final int PACE = 3;

	private final InboundRate rate = new InboundRate(new InboundSettings(0, "", "", PACE));

	@Test
	void aClientMaySendALimitedNumberOfMailsAndOthersAreNotAffected() {
		assertThat(allowed("192.0.2.1")).isEqualTo(PACE);
		assertThat(allowed("192.0.2.2")).isEqualTo(PACE);
	}

	@Test
	void theAddressesOfANetworkShareALimitAndTheNetworksOfASiteAnother() {
		assertThat(allowed("2001:db8:0:1::1")).isEqualTo(PACE);
		assertThat(allowed("2001:db8:0:1::2")).isZero();
		long site = IntStream.range(0, 100).mapToLong((i) -> allowed("2001:db8:1:" + i + "::1")).sum();
		assertThat(site).isBetween(1L, (long) PACE * ClientNetwork.SITE_FACTOR);
		assertThat(allowed("2001:db8:2:1::1")).isEqualTo(PACE);
	}

	@Test
	void aLimitOfZeroIsNone() {
		InboundRate unlimited = new InboundRate(new InboundSettings(0, "", "", 0));
		assertThat(IntStream.range(0, 1000).allMatch((_) -> unlimited.allows(InetAddress.ofLiteral("192.0.2.1"))))
			.isTrue();
	}

	/** Number of mails that a client may send at once. */
	private long allowed(String client) {
		return IntStream.range(0, 2 * PACE).filter((_) -> this.rate.allows(InetAddress.ofLiteral(client))).count();
	}

}
