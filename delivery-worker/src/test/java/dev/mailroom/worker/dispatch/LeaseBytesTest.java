package dev.mailroom.worker.dispatch;

import java.util.UUID;

import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.Route;
import dev.mailroom.mail.queue.TransportKind;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Versions of the form of a lease. */
class LeaseBytesTest {

	private final Route route = new Route(new UUID(1, 2), "c.test", TransportKind.MX, true);

	private final Lease lease = new Lease(new UUID(3, 4), 7, this.route);

	@Test
	void aLeaseWithoutAPoolHasTheFormThatEarlierWorkersRead() {
		byte[] bytes = LeaseBytes.of(this.lease);
		assertThat(bytes[1]).isEqualTo((byte) 1);
		assertThat(bytes).hasSize(48);
		assertThat(LeaseBytes.read(bytes)).contains(this.lease);
	}

	@Test
	void aLeaseWithAPoolHasAVersionThatEarlierWorkersDrop() {
		Lease pooled = this.lease.by(this.route.from(new Route.Origin("main", true, false, null)));
		byte[] bytes = LeaseBytes.of(pooled);
		assertThat(bytes[1]).isEqualTo((byte) 2);
		assertThat(LeaseBytes.read(bytes)).contains(pooled);
		assertThat(LeaseBytes.isOfOtherVersion(bytes)).isFalse();
		Lease retry = this.lease.by(this.route.from(new Route.Origin("main", false, true, null)));
		assertThat(LeaseBytes.read(LeaseBytes.of(retry))).contains(retry);
	}

	@Test
	void aLaterVersionIsDroppedAndAShortRecordIsNoLease() {
		byte[] bytes = LeaseBytes.of(this.lease.by(this.route.from(new Route.Origin("main", true, false, null))));
		bytes[1] = 3;
		assertThat(LeaseBytes.isOfOtherVersion(bytes)).isTrue();
		assertThat(LeaseBytes.read(bytes)).isEmpty();
		bytes[1] = 2;
		bytes[39] = 100;
		assertThat(LeaseBytes.read(bytes)).isEmpty();
	}

}
