package dev.mailroom.http;

import java.net.InetAddress;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MemoryPoolTest {

	private static final long MEGABYTE = 1_000_000;

	private final MemoryPool pool = new MemoryPool(8 * MEGABYTE);

	private final MemoryOwner first = account();

	private final MemoryOwner second = account();

	@Test
	void anAccountHasHalfOfTheMemoryAtMost() {
		assertThat(this.pool.reserve(this.first, 4 * MEGABYTE)).isTrue();
		assertThat(this.pool.reserve(this.first, 1)).isFalse();
		this.pool.release(this.first, MEGABYTE);
		assertThat(this.pool.reserve(this.first, MEGABYTE)).isTrue();
		assertThat(this.pool.limit("bytes").used().getAsLong()).isEqualTo(4 * MEGABYTE);
	}

	@Test
	void accountsThatUseAllMemoryDoNotKeepTheOthersFromSmallRequests() {
		this.pool.reserve(this.first, 4 * MEGABYTE);
		this.pool.reserve(this.second, 4 * MEGABYTE);
		MemoryOwner third = account();
		assertThat(this.pool.reserve(third, 0)).isTrue();
		assertThat(this.pool.reserve(third, 60_000)).isTrue();
		assertThat(this.pool.reserve(third, 60_000)).isFalse();
		assertThat(this.pool.reserve(account(), MEGABYTE)).isFalse();
	}

	@Test
	void aNetworkWithoutACredentialHasAnEighthAtMostAndAllOfThemHalf() {
		assertThat(this.pool.reserve(client("192.0.2.1"), MEGABYTE)).isTrue();
		assertThat(this.pool.reserve(client("192.0.2.1"), 1)).isFalse();
		for (int i = 2; i <= 4; i++) {
			assertThat(this.pool.reserve(client("192.0.2." + i), MEGABYTE)).isTrue();
		}
		assertThat(this.pool.reserve(client("192.0.2.5"), 16_000)).isFalse();
		assertThat(this.pool.reserve(this.first, 4 * MEGABYTE)).isTrue();
	}

	@Test
	void aSiteOfIpV6HasAQuarterAtMost() {
		assertThat(this.pool.reserve(client("2001:db8:1:1::1"), MEGABYTE)).isTrue();
		assertThat(this.pool.reserve(client("2001:db8:1:1::2"), 16_000)).isFalse();
		assertThat(this.pool.reserve(client("2001:db8:1:2::1"), MEGABYTE)).isTrue();
		assertThat(this.pool.reserve(client("2001:db8:1:3::1"), 16_000)).isFalse();
		assertThat(this.pool.reserve(client("2001:db8:2:1::1"), MEGABYTE)).isTrue();
	}

	@Test
	void clientsThatUseAllMemoryDoNotKeepOtherNetworksFromSmallRequests() {
		for (int i = 1; i <= 4; i++) {
			this.pool.reserve(client("192.0.2." + i), MEGABYTE);
		}
		this.pool.reserve(this.first, 4 * MEGABYTE);
		MemoryOwner other = client("192.0.2.5");
		assertThat(this.pool.reserve(other, 0)).isTrue();
		assertThat(this.pool.reserve(other, 2000)).isTrue();
		assertThat(this.pool.reserve(other, 16_000)).isFalse();
		this.pool.release(other, 2000);
		assertThat(this.pool.reserve(other, 4000)).isTrue();
	}

	private static MemoryOwner account() {
		return MemoryOwner.of(UUID.randomUUID());
	}

	private static MemoryOwner client(String address) {
		return MemoryOwner.of(InetAddress.ofLiteral(address));
	}

}
