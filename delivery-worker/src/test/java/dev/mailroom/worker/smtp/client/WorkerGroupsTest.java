package dev.mailroom.worker.smtp.client;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.mailroom.WrongSetting;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.Route;
import dev.mailroom.source.PoolChoice;
import dev.mailroom.source.SendingPool;
import dev.mailroom.source.SendingPool.Weighted;
import dev.mailroom.source.SendingPool.WhenEmpty;
import dev.mailroom.source.SendingPools;
import dev.mailroom.source.SendingSource;
import dev.mailroom.source.SendingSource.State;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Percentage.withPercentage;

/** The group of workers that sends a mail. */
class WorkerGroupsTest {

	private final AtomicReference<Map<String, Set<String>>> having = new AtomicReference<>(
			Map.of("one", Set.of("default"), "two", Set.of("far")));

	private final SendingPools pools = new SendingPools(
			List.of(source("one", State.ACTIVE), source("two", State.ACTIVE), source("paused", State.PAUSED)),
			List.of(pool("main", new Weighted("one", 3), new Weighted("two", 1)),
					pool("idle", new Weighted("paused", 1))),
			List.of(new PoolChoice(PoolChoice.Kind.PLATFORM, "", false, "main")), Set.of(), List.of());

	private final WorkerGroups groups = new WorkerGroups("default", () -> this.pools, this.having::get,
			Clock.systemUTC());

	@Test
	void mailIsDividedByTheWeightsAndAQuietDomainHasOneGroup() {
		assertThat(counted(IntStream.range(0, 4000).mapToObj((i) -> mail("d" + i + ".test", "main", false)).toList())
			.get("far")).isCloseTo(1000, withPercentage(12));
		List<String> quiet = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			quiet.add(this.groups.of(mail("quiet.test", "main", false)));
		}
		assertThat(quiet).containsOnly(quiet.getFirst());
	}

	@Test
	void aBusyDomainGetsMailFromAllGroupsAndARetryFromTheSame() {
		List<Lease> mails = IntStream.range(0, 4000).mapToObj((_) -> mail("busy.test", "main", false)).toList();
		mails.forEach(this.groups::count);
		Map<UUID, String> first = mails.stream().collect(Collectors.toMap(Lease::delivery, this.groups::of));
		assertThat(first.values().stream().filter("far"::equals).count()).isCloseTo(1000L, withPercentage(15));
		for (Lease lease : mails) {
			Lease retry = lease.by(lease.route().from(new Route.Origin("main", false, true, null)));
			assertThat(this.groups.of(retry)).isEqualTo(first.get(lease.delivery()));
		}
		this.having.set(Map.of("two", Set.of("far")));
		assertThat(mails).as("the other group has ended")
			.allSatisfy((lease) -> assertThat(this.groups.of(lease)).isEqualTo("far"));
	}

	@Test
	void otherMailIsForTheDefaultGroup() {
		assertThat(this.groups.of(new Lease(UUID.randomUUID(), 1, route("a.test")))).isEqualTo("default");
		assertThat(this.groups.of(mail("a.test", "idle", false))).as("without a usable address").isEqualTo("default");
		this.having.set(Map.of());
		assertThat(counted(IntStream.range(0, 100).mapToObj((i) -> mail("d" + i + ".test", "main", false)).toList()))
			.as("while there is one group")
			.containsOnlyKeys("default");
	}

	@Test
	void aNameThatNoTopicCouldHaveIsRefused() {
		assertThatThrownBy(() -> new WorkerGroups("Graz 1", () -> this.pools, Map::of, Clock.systemUTC()))
			.isInstanceOf(WrongSetting.class)
			.hasMessageContaining("MAILROOM_WORKER_GROUP");
		assertThat(WorkerGroups.named("mailroom.deliveries", "far")).isEqualTo("mailroom.deliveries.far");
		assertThat(WorkerGroups.named("mailroom.deliveries", "default")).isEqualTo("mailroom.deliveries");
	}

	private Map<String, Integer> counted(List<Lease> mails) {
		return mails.stream()
			.map(this.groups::of)
			.collect(Collectors.toMap(Function.identity(), (_) -> 1, Integer::sum));
	}

	private static Lease mail(String domain, String pool, boolean retry) {
		return new Lease(UUID.randomUUID(), 1, route(domain).from(new Route.Origin(pool, false, retry, null)));
	}

	private static Route route(String domain) {
		return new Route(new UUID(0, 1), domain, null, false);
	}

	private static SendingPool pool(String name, Weighted... members) {
		return new SendingPool(name, WhenEmpty.WAIT, null, List.of(members));
	}

	private static SendingSource source(String name, State state) {
		return new SendingSource(name, "127.0.1.1", null, null, null, name + ".mail.test", state, null);
	}

}
