package dev.mailroom.source;

import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import dev.mailroom.source.SendingPool.Weighted;
import dev.mailroom.source.SendingPool.WhenEmpty;
import dev.mailroom.source.SendingSource.State;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** The choice of a pool and of an address of it. */
class SendingPoolsTest {

	private static final UUID ACCOUNT = new UUID(0, 1);

	private static final UUID DOMAIN = new UUID(0, 2);

	@Test
	void theMostSpecificChoiceAppliesToEachStream() {
		List<PoolChoice> choices = List.of(choice(PoolChoice.Kind.PLATFORM, "", false),
				choice(PoolChoice.Kind.PLAN, "free", false), choice(PoolChoice.Kind.ACCOUNT, ACCOUNT.toString(), false),
				choice(PoolChoice.Kind.DOMAIN, DOMAIN.toString(), false), choice(PoolChoice.Kind.PLAN, "free", true));
		assertThat(kind(choices, DOMAIN, false)).isEqualTo(PoolChoice.Kind.DOMAIN);
		assertThat(kind(choices, DOMAIN, true)).isEqualTo(PoolChoice.Kind.PLAN);
		assertThat(kind(choices, new UUID(0, 3), false)).isEqualTo(PoolChoice.Kind.ACCOUNT);
		assertThat(kind(choices.subList(0, 2), DOMAIN, false)).isEqualTo(PoolChoice.Kind.PLAN);
		assertThat(kind(choices.subList(0, 1), DOMAIN, false)).isEqualTo(PoolChoice.Kind.PLATFORM);
		assertThat(pools(WhenEmpty.WAIT, null, choices.subList(0, 1)).choice(ACCOUNT, "free", DOMAIN, true)).isNull();
	}

	private static PoolChoice.Kind kind(List<PoolChoice> choices, UUID domain, boolean campaign) {
		return pools(WhenEmpty.WAIT, null, choices).choice(ACCOUNT, "free", domain, campaign).kind();
	}

	private static PoolChoice choice(PoolChoice.Kind kind, String key, boolean campaign) {
		return new PoolChoice(kind, key, campaign, "main");
	}

	@Test
	void weightsOfThreeToOneDivideDomainsLikewise() {
		SendingPools pools = pools(WhenEmpty.WAIT, null, List.of());
		long heavy = IntStream.range(0, 4_000)
			.filter((i) -> source(pools.pick("main", "d" + i + ".test", (_) -> true)).equals("heavy"))
			.count();
		assertThat(heavy / 40.0).isCloseTo(75, within(3.0));
	}

	@Test
	void anAddressThatIsLostMovesItsOwnMailOnly() {
		SendingPools pools = pools(WhenEmpty.WAIT, null, List.of());
		for (int i = 0; i < 200; i++) {
			String key = "d" + i + ".test";
			String before = source(pools.pick("main", key, (_) -> true));
			assertThat(source(pools.pick("main", key, (_) -> true))).isEqualTo(before);
			String other = before.equals("heavy") ? "light" : "heavy";
			assertThat(source(pools.pick("main", key, (source) -> !source.name().equals(other)))).isEqualTo(before);
			assertThat(source(pools.pick("main", key, (source) -> !source.name().equals(before)))).isEqualTo(other);
		}
	}

	@Test
	void anEmptyPoolWaitsOrUsesAnotherOneOrAnyAddress() {
		Predicate<SendingSource> reserveOnly = (source) -> source.name().equals("reserve");
		assertThat(pools(WhenEmpty.WAIT, null, List.of()).pick("main", "a.test", reserveOnly))
			.isEqualTo(new SendingPools.Pick("main", null, true));
		assertThat(pools(WhenEmpty.ANY, null, List.of()).pick("main", "a.test", reserveOnly))
			.isEqualTo(new SendingPools.Pick("main", null, false));
		SendingPools falling = pools(WhenEmpty.FALLBACK, "spare", List.of());
		assertThat(source(falling.pick("main", "a.test", reserveOnly))).isEqualTo("reserve");
		assertThat(falling.pick("main", "a.test", (_) -> false).waits()).as("a circle of pools ends").isTrue();
	}

	private static String source(SendingPools.Pick pick) {
		return pick.source().name();
	}

	private static SendingPools pools(WhenEmpty whenEmpty, String fallback, List<PoolChoice> choices) {
		return new SendingPools(List.of(address("heavy"), address("light"), address("reserve")),
				List.of(new SendingPool("main", whenEmpty, fallback,
						List.of(new Weighted("heavy", 3), new Weighted("light", 1))),
						new SendingPool("spare", WhenEmpty.FALLBACK, "main", List.of(new Weighted("reserve", 1)))),
				choices, Set.of(), List.of());
	}

	private static SendingSource address(String name) {
		return new SendingSource(name, "127.0.1.1", null, null, null, name + ".test", State.ACTIVE, null);
	}

}
