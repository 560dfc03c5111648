package dev.mailroom.worker.send;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;

import dev.mailroom.queue.Lease;
import dev.mailroom.queue.Route;
import dev.mailroom.worker.transport.Session;
import dev.mailroom.worker.transport.Transport;
import dev.mailroom.worker.transport.Transports;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

class LaneQueueTest {

	private final LaneQueue queue = new LaneQueue(new Transports(List.of(new ByDomain()), "by domain"),
			new SendSettings(8, 2, Duration.ofSeconds(90), Duration.ofSeconds(1)));

	@Test
	void chunksHaveOneDestinationAndDestinationsTakeTurns() throws Exception {
		this.queue.offer(leases("a.test", 3));
		this.queue.offer(leases("b.test", 3));
		assertThat(List.of(next(), next(), next(), next())).containsExactly("a.test 2", "b.test 2", "a.test 1",
				"b.test 1");
		assertThat(this.queue.take()).isEmpty();
	}

	@Test
	void aSlowDestinationUsesAtMostHalfOfTheFreeLanes() throws Exception {
		this.queue.offer(leases("slow.test", 8));
		List<Chunk> slow = drain();
		assertThat(slow).hasSize(4);
		this.queue.offer(leases("slow.test", 6));
		assertThat(drain()).isEmpty();
		assertThat(this.queue.offer(leases("quick.test", 2))).isEmpty();
		List<Chunk> quick = drain();
		assertThat(quick).extracting((chunk) -> chunk.route().domain()).containsExactly("quick.test");
		this.queue.done(slow.getFirst());
		this.queue.done(quick.getFirst());
		assertThat(next()).as("a lane was freed").startsWith("slow.test");
	}

	@Test
	void leasesForABlockedDestinationAreRejectedAndOthersAreAccepted() throws Exception {
		this.queue.offer(leases("slow.test", 10));
		drain();
		List<Lease> both = new ArrayList<>(leases("slow.test", 20));
		both.addAll(leases("quick.test", 3));
		assertThat(this.queue.offer(both)).isNotEmpty().allMatch((lease) -> lease.route().domain().equals("slow.test"));
		assertThat(next()).isEqualTo("quick.test 2");
	}

	@Test
	void anAccountWithSlowDestinationsLeavesLanesToOthers() throws Exception {
		for (int i = 0; i < 7; i++) {
			this.queue.offer(leases("slow" + i + ".test", 2));
		}
		List<Chunk> slow = drain();
		assertThat(slow).hasSize(6);
		Route other = new Route(new UUID(0, 1), "quick.test", null, false);
		this.queue.offer(List.of(new Lease(UUID.randomUUID(), 1, other)));
		List<Chunk> quick = drain();
		assertThat(quick).extracting((chunk) -> chunk.route().domain()).containsExactly("quick.test");
		this.queue.done(slow.getFirst());
		this.queue.done(quick.getFirst());
		assertThat(next()).isEqualTo("slow6.test 2");
	}

	@Test
	void aClosedQueueReturnsItsLeasesAndRejectsOthersUntilItIsOpened() throws Exception {
		this.queue.offer(leases("a.test", 3));
		assertThat(this.queue.close()).hasSize(3);
		assertThat(this.queue.offer(leases("a.test", 2))).hasSize(2);
		assertThat(this.queue.take()).isEmpty();
		this.queue.open();
		assertThat(this.queue.offer(leases("a.test", 2))).isEmpty();
		assertThat(next()).isEqualTo("a.test 2");
	}

	private String next() throws InterruptedException {
		Chunk chunk = this.queue.take().orElseThrow();
		return chunk.route().domain() + " " + chunk.leases().size();
	}

	private List<Chunk> drain() throws InterruptedException {
		List<Chunk> chunks = new ArrayList<>();
		for (Optional<Chunk> next = this.queue.take(); next.isPresent(); next = this.queue.take()) {
			chunks.add(next.get());
		}
		return chunks;
	}

	private static List<Lease> leases(String domain, int count) {
		return IntStream.range(0, count)
			.mapToObj((_) -> new Lease(UUID.randomUUID(), 1, new Route(new UUID(0, 0), domain, null, false)))
			.toList();
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
		public int room(Route route) {
			return 20;
		}

		@Override
		public <T> Mono<T> with(Route route, Function<Session, Mono<T>> work) {
			return Mono.error(new UnsupportedOperationException("This transport has no sessions"));
		}

	}

}
