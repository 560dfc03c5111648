package dev.mailroom.worker.smtp.server;

import java.net.InetAddress;

import dev.mailroom.Bounded;
import dev.mailroom.worker.smtp.server.SmtpServerOptions.SmtpLimits;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

class ConnectionLimitsTest {

	private static final int LARGE = 25 * 1024 * 1024;

	private static final SmtpLimits LIMITS = SmtpLimits.usual();

	private final ConnectionLimits limits = new ConnectionLimits(LIMITS);

	@Test
	void oneOwnerCannotReserveAllMemory() {
		assertThat(this.limits.reserve("one", LARGE)).isTrue();
		assertThat(this.limits.reserve("one", LARGE)).isFalse();
		assertThat(this.limits.reserve("two", LARGE)).isTrue();
		this.limits.release("one", LARGE);
		assertThat(this.limits.reserve("one", LARGE)).isTrue();
	}

	@Test
	void handlingTheMailsOfOneOwnerLeavesMemoryForThoseOfOthers() {
		long largest = 6L * LARGE;
		assertThat(largest).isGreaterThan(LIMITS.bytes());
		assertThat(this.limits.beginHandling("one", largest)).isTrue();
		assertThat(this.limits.beginHandling("one", 1)).isFalse();
		assertThat(this.limits.beginHandling("two", LIMITS.bytes() / 4)).isTrue();
		assertThat(this.limits.beginHandling("two", LIMITS.bytes() / 4)).isTrue();
		assertThat(this.limits.beginHandling("three", 1)).as("all memory is in use").isFalse();
		this.limits.endHandling("one", largest);
		assertThat(this.limits.beginHandling("three", largest)).isTrue();
	}

	@Test
	void theUseOfAllClientsIsReportedBesideItsLimit() {
		this.limits.enter(InetAddress.getLoopbackAddress());
		this.limits.reserve("one", 300);
		this.limits.reserve("two", 40);
		this.limits.beginHandling("one", 5);
		assertThat(this.limits.limits("inbound"))
			.extracting(Bounded.Limit::resource, (limit) -> limit.used().getAsLong(), Bounded.Limit::limit)
			.containsExactly(tuple("inbound_connections", 1L, (long) LIMITS.connections()),
					tuple("inbound_bytes", 340L, LIMITS.bytes()), tuple("inbound_handling_bytes", 5L, LIMITS.bytes()));
	}

	@Test
	void theOnlyClientOfAServerCanReserveAllMemory() {
		ConnectionLimits single = new ConnectionLimits(LIMITS.forOneClient());
		assertThat(single.reserve("one", LIMITS.bytes())).isTrue();
	}

	@Test
	void discardingAMessageReleasesAllOfItsMemoryOnce() {
		for (int i = 0; i < 20; i++) {
			DataReader reader = new DataReader(LARGE, this.limits, "one");
			reader.read(Unpooled.wrappedBuffer(new byte[5_000_000]));
			assertThat(reader.bytes()).hasSize(5_000_000);
			reader.discard();
			reader.discard();
		}
		assertThat(this.limits.reserve("one", 32L * 1024 * 1024)).isTrue();
	}

	@Test
	void aCompletedMessageReservesNoMoreThanItsSize() {
		DataReader reader = new DataReader(LARGE, this.limits, "one");
		reader.read(Unpooled.wrappedBuffer(new byte[17 * 1024 * 1024]));
		reader.bytes();
		assertThat(this.limits.reserve("one", 15L * 1024 * 1024)).isTrue();
	}

	@Test
	void theConnectionsOfAnIpv6SiteAreLimitedTogether() throws Exception {
		int permitted = 0;
		for (int network = 0; network < 10; network++) {
			for (int i = 0; i < LIMITS.connectionsEach(); i++) {
				permitted += this.limits.enter(InetAddress.getByName("2001:db8:1:" + network + "::1")) ? 1 : 0;
			}
		}
		assertThat(permitted).isEqualTo(4 * LIMITS.connectionsEach());
		assertThat(this.limits.enter(InetAddress.getByName("2001:db8:2::1"))).isTrue();
		this.limits.leave(InetAddress.getByName("2001:db8:1:1::1"));
		assertThat(this.limits.enter(InetAddress.getByName("2001:db8:1:9::1"))).isTrue();
	}

	@Test
	void theServerIsCrowdedWithManyConnectionsOrMuchMemoryInUse() throws Exception {
		assertThat(this.limits.isCrowded()).isFalse();
		for (int i = 0; i <= LIMITS.connections() * 3 / 4; i++) {
			assertThat(this.limits.enter(InetAddress.getByName("10.0.0." + i % 200))).isTrue();
		}
		assertThat(this.limits.isCrowded()).isTrue();
		this.limits.leave(InetAddress.getByName("10.0.0.1"));
		assertThat(this.limits.isCrowded()).isFalse();
		this.limits.reserve("one", LIMITS.bytesEach());
		this.limits.reserve("two", LIMITS.bytesEach());
		this.limits.reserve("three", LIMITS.bytesEach());
		assertThat(this.limits.isCrowded()).isTrue();
	}

}
