package dev.mailroom.worker.smtpd;

import java.net.InetAddress;

import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ConnectionLimitsTest {

	private static final int LARGE = 25 * 1024 * 1024;

	private static final SmtpLimits LIMITS = SmtpLimits.usual();

	private final ConnectionLimits room = new ConnectionLimits(LIMITS);

	@Test
	void nobodyTakesTheRoomOfAllOthers() {
		assertThat(this.room.take("one", LARGE)).isTrue();
		assertThat(this.room.take("one", LARGE)).isFalse();
		assertThat(this.room.take("two", LARGE)).isTrue();
		this.room.give("one", LARGE);
		assertThat(this.room.take("one", LARGE)).isTrue();
		ConnectionLimits own = new ConnectionLimits(LIMITS.forOneClient());
		assertThat(own.take("one", 2L * LARGE)).isTrue();
	}

	@Test
	void whatWasTakenIsAllGivenBack() {
		for (int round = 0; round < 20; round++) {
			DataReader content = new DataReader(LARGE, this.room, "one");
			content.endsIn(Unpooled.wrappedBuffer(new byte[5_000_000]));
			assertThat(content.bytes()).hasSize(5_000_000);
			content.forget();
			content.forget();
		}
		assertThat(this.room.take("one", 32L * 1024 * 1024)).isTrue();
	}

	@Test
	void whatIsHandedOverTakesNoMoreRoomThanItNeeds() {
		DataReader content = new DataReader(LARGE, this.room, "one");
		content.endsIn(Unpooled.wrappedBuffer(new byte[17 * 1024 * 1024]));
		content.bytes();
		assertThat(this.room.take("one", 15L * 1024 * 1024)).isTrue();
	}

	@Test
	void aCrowdIsKnown() throws Exception {
		assertThat(this.room.isCrowded()).isFalse();
		for (int guest = 0; guest <= LIMITS.connections() * 3 / 4; guest++) {
			assertThat(this.room.enter(InetAddress.getByName("10.0.0." + guest % 200))).isTrue();
		}
		assertThat(this.room.isCrowded()).isTrue();
		this.room.leave(InetAddress.getByName("10.0.0.1"));
		assertThat(this.room.isCrowded()).isFalse();
		this.room.take("one", LIMITS.bytesEach());
		this.room.take("two", LIMITS.bytesEach());
		this.room.take("three", LIMITS.bytesEach());
		assertThat(this.room.isCrowded()).isTrue();
	}

}
