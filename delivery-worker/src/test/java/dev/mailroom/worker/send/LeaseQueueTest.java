package dev.mailroom.worker.send;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.IntStream;

import dev.mailroom.Await;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.Route;
import dev.mailroom.worker.smtp.client.Session;
import dev.mailroom.worker.smtp.client.Transport;
import dev.mailroom.worker.smtp.client.Transports;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

@Execution(ExecutionMode.CONCURRENT)
class LeaseQueueTest {

	private static final UUID ACCOUNT = new UUID(0, 0);

	private static final Duration HOUR = Duration.ofHours(1);

	private final ByDomain transport = new ByDomain();

	private final LeaseQueue queue = new LeaseQueue(new Transports(List.of(this.transport), "by domain"),
			new SendSettings(8, 2, Duration.ofSeconds(90), Duration.ofSeconds(10), Duration.ofSeconds(1)));

	@Test
	void batchesHaveOneDestinationAndDestinationsTakeTurns() throws Exception {
		learn("a.test", "b.test");
		this.queue.offer(leases("a.test", 3));
		this.queue.offer(leases("b.test", 3));
		assertThat(List.of(next(), next(), next(), next())).containsExactly("a.test 2", "b.test 2", "a.test 1",
				"b.test 1");
		assertThat(this.queue.take()).isEmpty();
	}

	@Test
	void aBatchContainsOnlyTheMailsThatAThreadIsExpectedToBeginInTime() throws Exception {
		this.queue.offer(leases("new.test", 2));
		LeaseQueue.Batch first = this.queue.take().orElseThrow();
		assertThat(first.leases()).as("the pace is unknown").hasSize(1);
		first.pace().record(Duration.ofSeconds(5).toNanos());
		this.queue.done(first);
		this.queue.offer(leases("new.test", 3));
		assertThat(next()).as("the destination is slow").isEqualTo("new.test 1");
		for (int i = 0; i < 20; i++) {
			first.pace().record(Duration.ofMillis(10).toNanos());
		}
		assertThat(next()).isEqualTo("new.test 2");
	}

	@Test
	void accountsTakeTurnsAtADestination() throws Exception {
		learn("a.test");
		UUID quiet = new UUID(0, 1);
		this.queue.offer(leases("a.test", 6));
		this.queue.offer(leases(quiet, "a.test", 1, HOUR));
		List<UUID> order = drain().stream().map((batch) -> batch.route().accountId()).toList();
		assertThat(order).startsWith(ACCOUNT, quiet, ACCOUNT);
	}

	@Test
	void aBusyAccountLeavesThreadsOfADestinationToOthers() throws Exception {
		LeaseQueue wide = new LeaseQueue(new Transports(List.of(this.transport), "by domain"),
				new SendSettings(40, 2, Duration.ofSeconds(90), Duration.ofSeconds(10), Duration.ofSeconds(1)));
		wide.offer(leases("a.test", 30));
		List<LeaseQueue.Batch> busy = drain(wide);
		assertThat(busy).as("of 20 threads").hasSize(18);
		wide.offer(leases(new UUID(0, 1), "a.test", 1, HOUR));
		assertThat(wide.take().orElseThrow().route().accountId()).isEqualTo(new UUID(0, 1));
		wide.done(busy.getFirst());
		assertThat(wide.take()).as("two threads are left to others").isEmpty();
	}

	@Test
	void anAccountWithManyMailsUsesFewThreadsWhileItSlowsDownTheMailOfOthers() throws Exception {
		LeaseQueue wide = new LeaseQueue(new Transports(List.of(this.transport), "by domain"),
				new SendSettings(40, 2, Duration.ofSeconds(90), Duration.ofSeconds(10), Duration.ofSeconds(1)));
		wide.offer(leases("a.test", 30));
		List<LeaseQueue.Batch> burst = drain(wide);
		wide.offer(leases(new UUID(0, 1), "b.test", 1, HOUR));
		LeaseQueue.Batch light = wide.take().orElseThrow();
		IntStream.range(0, 70).forEach((_) -> wide.fenced(light, Duration.ofSeconds(1).toNanos()));
		burst.forEach(wide::done);
		assertThat(drain(wide)).as("while light mail is slow").hasSize(2);
		IntStream.range(0, 70).forEach((_) -> wide.fenced(light, 1));
		assertThat(drain(wide)).as("later").hasSizeGreaterThan(4);
	}

	@Test
	void leasesThatExceedARateLimitAreTakenAgainBeforeTheOthersOfTheirAccount() throws Exception {
		learn("limited.test");
		this.queue.offer(leases("limited.test", 4));
		LeaseQueue.Batch first = this.queue.take().orElseThrow();
		Lease exceeding = first.leases().getLast();
		this.queue.putBack(first, List.of(exceeding));
		this.queue.done(first);
		assertThat(this.queue.use().inHand()).isEqualTo(3);
		this.queue.offer(leases("other.test", 1));
		this.queue.offer(leases(new UUID(0, 1), "limited.test", 1, HOUR));
		assertThat(List.of(next(), next())).as("the account waits")
			.containsExactlyInAnyOrder("other.test 1", "limited.test 1");
		List<Lease> taken = new ArrayList<>();
		Await.until("the batch", () -> {
			this.queue.take().ifPresent((batch) -> taken.addAll(batch.leases()));
			return !taken.isEmpty();
		});
		assertThat(taken.getFirst()).isEqualTo(exceeding);
	}

	@Test
	void aLoneLeaseIsTakenDirectlyWhileThreadsAreFreeAndNoneOfItsAccountWaits() throws Exception {
		this.transport.closed.add("closed.test");
		assertThat(this.queue.offerIfFree(leases("closed.test", 1).getFirst())).isFalse();
		assertThat(this.queue.offerIfFree(leases("a.test", 1).getFirst())).isTrue();
		assertThat(this.queue.offerIfFree(leases("a.test", 1).getFirst())).as("one waits").isFalse();
		assertThat(next()).isEqualTo("a.test 1");
		for (int i = 0; i < 4; i++) {
			this.queue.offer(leases("busy" + i + ".test", 1));
			next();
		}
		assertThat(this.queue.offerIfFree(leases("b.test", 1).getFirst())).as("most threads are busy").isFalse();
		this.queue.close();
		assertThat(this.queue.offerIfFree(leases("c.test", 1).getFirst())).isFalse();
	}

	@Test
	void expiredLeasesAreDropped() throws Exception {
		learn("a.test");
		this.queue.offer(leases(ACCOUNT, "a.test", 3, Duration.ZERO));
		this.queue.offer(leases("b.test", 1));
		assertThat(drain()).singleElement()
			.satisfies((batch) -> assertThat(batch.route().domain()).isEqualTo("b.test"));
	}

	@Test
	void aSlowDestinationUsesAtMostHalfOfTheFreeThreads() throws Exception {
		learn("slow.test");
		this.queue.offer(leases("slow.test", 8));
		List<LeaseQueue.Batch> slow = drain();
		assertThat(slow).hasSize(4);
		this.queue.offer(leases("slow.test", 6));
		assertThat(drain()).isEmpty();
		assertThat(this.queue.offer(leases("quick.test", 1))).isEmpty();
		List<LeaseQueue.Batch> quick = drain();
		assertThat(quick).extracting((batch) -> batch.route().domain()).containsExactly("quick.test");
		this.queue.done(slow.getFirst());
		this.queue.done(quick.getFirst());
		assertThat(next()).as("a thread was freed").startsWith("slow.test");
	}

	@Test
	void leasesForAFullDestinationAreRejectedAtOnceAndOthersAreAccepted() throws Exception {
		this.queue.offer(leases("slow.test", 10));
		drain();
		List<LeaseQueue.Waiting> both = new ArrayList<>(leases("slow.test", 20));
		both.addAll(leases("quick.test", 3));
		Map<LeaseQueue.Rejection, List<Lease>> rejected = this.queue.offer(both);
		assertThat(rejected.keySet())
			.allMatch((reason) -> reason.reach() == LeaseQueue.Reach.DESTINATION && reason.delay().isPositive());
		assertThat(all(rejected)).isNotEmpty().allMatch((lease) -> lease.route().domain().equals("slow.test"));
		assertThat(next()).startsWith("quick.test");
	}

	@Test
	void leasesForAClosedDestinationAreRejectedUntilItOpens() {
		this.transport.closed.add("closed.test");
		List<LeaseQueue.Waiting> both = new ArrayList<>(leases("closed.test", 2));
		both.addAll(leases("open.test", 1));
		assertThat(this.queue.offer(both))
			.containsOnlyKeys(new LeaseQueue.Rejection(ByDomain.CLOSED_FOR, LeaseQueue.Reach.DESTINATION))
			.allSatisfy((_, leases) -> assertThat(leases).hasSize(2));
		this.transport.closed.clear();
		assertThat(this.queue.offer(leases("closed.test", 1))).isEmpty();
	}

	@Test
	void anAccountWithSlowDestinationsLeavesThreadsToOthers() throws Exception {
		for (int i = 0; i < 7; i++) {
			this.queue.offer(leases("slow" + i + ".test", 1));
		}
		List<LeaseQueue.Batch> slow = drain();
		assertThat(slow).hasSize(6);
		this.queue.offer(leases(new UUID(0, 1), "quick.test", 1, HOUR));
		List<LeaseQueue.Batch> quick = drain();
		assertThat(quick).extracting((batch) -> batch.route().domain()).containsExactly("quick.test");
		this.queue.done(slow.getFirst());
		this.queue.done(quick.getFirst());
		assertThat(next()).isEqualTo("slow6.test 1");
	}

	@Test
	void aClosedQueueReturnsItsLeasesAndRejectsOthersUntilItIsOpened() throws Exception {
		this.queue.offer(leases("a.test", 3));
		assertThat(this.queue.close()).hasSize(3);
		assertThat(all(this.queue.offer(leases("a.test", 2)))).hasSize(2);
		assertThat(this.queue.take()).isEmpty();
		this.queue.open();
		assertThat(this.queue.offer(leases("a.test", 2))).isEmpty();
		assertThat(next()).isEqualTo("a.test 1");
	}

	@Test
	void mailsInHandAreThoseThatWaitAndThoseOfBusyThreads() throws Exception {
		learn("a.test");
		this.queue.offer(leases("a.test", 5));
		assertThat(this.queue.use()).isEqualTo(new LeaseQueue.Use(5, 5, 0, 8));
		LeaseQueue.Batch sent = this.queue.take().orElseThrow();
		this.queue.take();
		assertThat(this.queue.use()).isEqualTo(new LeaseQueue.Use(1, 5, 2, 8));
		this.queue.done(sent);
		assertThat(this.queue.use()).isEqualTo(new LeaseQueue.Use(1, 3, 1, 8));
		this.queue.close();
		assertThat(this.queue.use()).as("of a worker that drains").isEqualTo(new LeaseQueue.Use(0, 2, 1, 8));
	}

	/** Makes the destinations known as quick ones. */
	private void learn(String... domains) throws InterruptedException {
		for (String domain : domains) {
			this.queue.offer(leases(domain, 1));
			LeaseQueue.Batch batch = this.queue.take().orElseThrow();
			batch.pace().record(1);
			this.queue.done(batch);
		}
	}

	private String next() throws InterruptedException {
		LeaseQueue.Batch batch = this.queue.take().orElseThrow();
		return batch.route().domain() + " " + batch.leases().size();
	}

	private List<LeaseQueue.Batch> drain() throws InterruptedException {
		return drain(this.queue);
	}

	private static List<LeaseQueue.Batch> drain(LeaseQueue queue) throws InterruptedException {
		List<LeaseQueue.Batch> batches = new ArrayList<>();
		for (Optional<LeaseQueue.Batch> next = queue.take(); next.isPresent(); next = queue.take()) {
			batches.add(next.get());
		}
		return batches;
	}

	private static List<Lease> all(Map<LeaseQueue.Rejection, List<Lease>> rejected) {
		return rejected.values().stream().flatMap(Collection::stream).toList();
	}

	private static List<LeaseQueue.Waiting> leases(String domain, int count) {
		return leases(ACCOUNT, domain, count, HOUR);
	}

	private static List<LeaseQueue.Waiting> leases(UUID account, String domain, int count, Duration remaining) {
		Route route = new Route(account, domain, null, false);
		return IntStream.range(0, count)
			.mapToObj((_) -> new LeaseQueue.Waiting(new Lease(UUID.randomUUID(), 1, route),
					System.nanoTime() + remaining.toNanos()))
			.toList();
	}

	/** A transport with a destination for each domain. */
	private static final class ByDomain implements Transport {

		private static final Duration CLOSED_FOR = Duration.ofSeconds(30);

		private final Set<String> closed = ConcurrentHashMap.newKeySet();

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
		public Optional<Duration> closedFor(Route route) {
			return this.closed.contains(route.domain()) ? Optional.of(CLOSED_FOR) : Optional.empty();
		}

		@Override
		public <T> Mono<T> with(Route route, Function<Session, Mono<T>> work) {
			return Mono.error(new UnsupportedOperationException("This transport has no sessions"));
		}

	}

}
