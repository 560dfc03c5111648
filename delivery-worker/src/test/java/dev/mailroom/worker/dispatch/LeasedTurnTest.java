package dev.mailroom.worker.dispatch;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.Route;
import dev.mailroom.worker.smtp.client.Session;
import dev.mailroom.worker.smtp.client.Transport;
import dev.mailroom.worker.smtp.client.Transports;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** Leases of a turn, and their form in the topic. */
class LeasedTurnTest {

	private final Transports transports = new Transports(List.of(new ByDomain()), "by domain");

	@Test
	void leasesForHeldAndClosedDestinationsAreNotPublished() {
		Lease open = lease("open.test");
		Lease closed = lease("closed.test");
		Lease limited = lease("limited.test");
		Lease held = lease("held.test");
		LeasedTurn turn = LeasedTurn.of(List.of(open, held, closed, limited, closed), this.transports,
				(route) -> route.domain().equals("held.test"));
		assertThat(turn.open()).containsExactly(open);
		assertThat(turn.held()).containsExactly(held);
		assertThat(turn.closed()).containsOnlyKeys(Duration.ofSeconds(30), Duration.ofSeconds(1))
			.containsEntry(Duration.ofSeconds(30), List.of(closed, closed))
			.containsEntry(Duration.ofSeconds(1), List.of(limited));
	}

	@Test
	void aLeaseIsReadAsItWasWrittenAndOtherVersionsAreRecognised() {
		Lease lease = new Lease(UUID.randomUUID(), 3, new Route(UUID.randomUUID(), "münchen.test", null, true));
		byte[] bytes = LeaseBytes.of(lease);
		assertThat(LeaseBytes.read(bytes)).contains(lease);
		assertThat(LeaseBytes.isOfOtherVersion(bytes)).isFalse();
		bytes[1]++;
		assertThat(LeaseBytes.read(bytes)).isEmpty();
		assertThat(LeaseBytes.isOfOtherVersion(bytes)).isTrue();
		bytes[0]++;
		assertThat(LeaseBytes.isOfOtherVersion(bytes)).as("no lease of any version").isFalse();
	}

	private static Lease lease(String domain) {
		return new Lease(UUID.randomUUID(), 1, new Route(new UUID(0, 0), domain, null, false));
	}

	/** A transport with a destination for each domain. */
	private static final class ByDomain implements Transport {

		@Override
		public String name() {
			return "by domain";
		}

		@Override
		public String destination(Route route) {
			return route.domain();
		}

		@Override
		public Optional<Duration> closedFor(Route route) {
			return switch (route.domain()) {
				case "closed.test" -> Optional.of(Duration.ofMillis(29_500));
				case "limited.test" -> Optional.of(Duration.ofMillis(900));
				default -> Optional.empty();
			};
		}

		@Override
		public <T> Mono<T> with(Route route, Function<Session, Mono<T>> work) {
			return Mono.error(new UnsupportedOperationException("This transport has no sessions"));
		}

	}

}
