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

	private final LaneQueue intake = new LaneQueue(new Transports(List.of(new ByDomain()), "by domain"),
			new SendSettings(8, 2, Duration.ofSeconds(90), Duration.ofSeconds(1)));

	@Test
	void aChunkIsForOneDestinationAndDestinationsTakeTurns() throws Exception {
		this.intake.offer(leases("a.test", 3));
		this.intake.offer(leases("b.test", 3));
		assertThat(List.of(next(), next(), next(), next())).containsExactly("a.test 2", "b.test 2", "a.test 1",
				"b.test 1");
		assertThat(this.intake.take()).isEmpty();
	}

	@Test
	void aSlowDestinationHasHalfOfWhatIsFreeAndTheOthersGoOn() throws Exception {
		this.intake.offer(leases("slow.test", 8));
		List<Chunk> slow = drain();
		assertThat(slow).hasSize(4);
		this.intake.offer(leases("slow.test", 6));
		assertThat(drain()).isEmpty();
		assertThat(this.intake.offer(leases("quick.test", 2))).isEmpty();
		List<Chunk> quick = drain();
		assertThat(quick).extracting((chunk) -> chunk.route().domain()).containsExactly("quick.test");
		this.intake.done(slow.getFirst());
		this.intake.done(quick.getFirst());
		assertThat(next()).as("one lane more is free").startsWith("slow.test");
	}

	@Test
	void whatIsForADestinationThatStandsStillGoesBackAndTheRestGetsIn() throws Exception {
		this.intake.offer(leases("slow.test", 10));
		drain();
		List<Lease> both = new ArrayList<>(leases("slow.test", 20));
		both.addAll(leases("quick.test", 3));
		assertThat(this.intake.offer(both)).isNotEmpty()
			.allMatch((lease) -> lease.route().domain().equals("slow.test"));
		assertThat(next()).isEqualTo("quick.test 2");
	}

	@Test
	void anAccountWhoseDestinationsAreAllSlowLeavesLanesToTheOthers() throws Exception {
		for (int i = 0; i < 7; i++) {
			this.intake.offer(leases("slow" + i + ".test", 2));
		}
		List<Chunk> slow = drain();
		assertThat(slow).hasSize(6);
		Route other = new Route(new UUID(0, 1), "quick.test", null, false);
		this.intake.offer(List.of(new Lease(UUID.randomUUID(), 1, other)));
		List<Chunk> quick = drain();
		assertThat(quick).extracting((chunk) -> chunk.route().domain()).containsExactly("quick.test");
		this.intake.done(slow.getFirst());
		this.intake.done(quick.getFirst());
		assertThat(next()).isEqualTo("slow6.test 2");
	}

	@Test
	void aStopLetsNothingMoreIn() throws Exception {
		this.intake.offer(leases("a.test", 3));
		assertThat(this.intake.close()).hasSize(3);
		assertThat(this.intake.offer(leases("a.test", 2))).hasSize(2);
		assertThat(this.intake.take()).isEmpty();
	}

	private String next() throws InterruptedException {
		Chunk chunk = this.intake.take().orElseThrow();
		return chunk.route().domain() + " " + chunk.leases().size();
	}

	private List<Chunk> drain() throws InterruptedException {
		List<Chunk> all = new ArrayList<>();
		for (Optional<Chunk> one = this.intake.take(); one.isPresent(); one = this.intake.take()) {
			all.add(one.get());
		}
		return all;
	}

	private static List<Lease> leases(String domain, int count) {
		return IntStream.range(0, count)
			.mapToObj((_) -> new Lease(UUID.randomUUID(), 1, new Route(new UUID(0, 0), domain, null, false)))
			.toList();
	}

	/** A way that keeps domains apart and has room for many sessions with each. */
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
			return Mono.error(new UnsupportedOperationException("Nothing is sent here"));
		}

	}

}
