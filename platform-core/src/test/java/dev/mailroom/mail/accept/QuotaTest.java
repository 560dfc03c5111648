package dev.mailroom.mail.accept;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.database.Transactions;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class QuotaTest {

	private static final Instant LAST_MOMENT = Instant.parse("2030-01-31T23:59:59.999Z");

	private static final Instant MIDNIGHT = Instant.parse("2030-02-01T00:00:00Z");

	@Autowired
	Quotas quotas;

	@Autowired
	Transactions transactions;

	@Autowired
	JdbcTransactions commits;

	private final UUID account = Given.account("free");

	@Test
	void aDayBeginsAtMidnightUtcAndAMonthOnItsFirstDay() {
		assertThat(granted(LAST_MOMENT, 100)).containsExactly(true);
		assertThat(granted(LAST_MOMENT, 1)).containsExactly(false);
		assertThat(granted(MIDNIGHT, 100)).containsExactly(true);
		assertThat(used("2030-01-31", "2030-01-01")).containsExactly("100", "100");
		assertThat(used("2030-02-01", "2030-02-01")).containsExactly("100", "100");
	}

	@Test
	void theMonthlyLimitRefusesWithTheTimeOfItsReset() {
		Instant noon = Instant.parse("2030-01-15T12:00:00Z");
		Given.run("insert into quota_use values ('%s', 'month', '2030-01-01', 2990)", this.account);
		assertThat(granted(noon, 11)).containsExactly(false);
		assertThat(granted(noon, 10)).containsExactly(true);
		Quotas.LimitReached limit = reserve(noon, 1).getFirst().orElseThrow();
		assertThat(limit.period()).isEqualTo("month");
		Refused refused = limit.refused();
		assertThat(refused.refusal().error()).isEqualTo("Daily/monthly limit reached");
		assertThat(refused.message()).contains("monthly").contains("2030-02-01T00:00:00Z");
		assertThat(refused.retryAfter()).isEqualTo(Duration.between(noon, MIDNIGHT));
	}

	@Test
	void reservationsAreGrantedInOrderAndWholeOrNotAtAll() {
		assertThat(granted(MIDNIGHT, 60, 50, 40, 1)).containsExactly(true, false, true, false);
		assertThat(used("2030-02-01", "2030-02-01")).containsExactly("100", "100");
	}

	@Test
	void returnedQuotaBelongsToTheDayThatItWasCountedOn() {
		assertThat(granted(LAST_MOMENT, 3)).containsExactly(true);
		Scope scope = Scope.of(this.account);
		await(this.transactions.in(scope, this.quotas.giveBack(scope, 1, LAST_MOMENT)));
		assertThat(used("2030-01-31", "2030-01-01")).containsExactly("2", "2");
	}

	@Test
	void limitsOfTheAccountTakePrecedenceOverThoseOfThePlan() {
		Given.run("update account set daily_limit = 2, monthly_limit = 5 where id = '%s'", this.account);
		assertThat(granted(LAST_MOMENT, 2, 1)).containsExactly(true, false);
		Given.run("update account set daily_limit = 200 where id = '%s'", this.account);
		assertThat(granted(LAST_MOMENT, 3, 1)).containsExactly(true, false);
		assertThat(reserve(LAST_MOMENT, 1).getFirst().orElseThrow().refused().message()).contains("monthly");
		Given.run("update account set daily_limit = null, monthly_limit = null where id = '%s'", this.account);
		assertThat(granted(LAST_MOMENT, 95, 1)).containsExactly(true, false);
	}

	@Test
	void aPlanWithoutLimitsIsCountedToo() {
		Given.run("update account set plan = 'unlimited' where id = '%s'", this.account);
		assertThat(granted(MIDNIGHT, 100_000)).containsExactly(true);
		assertThat(used("2030-02-01", "2030-02-01")).containsExactly("100000", "100000");
	}

	@Test
	void aWarningAndTheReachedLimitAreReportedOnceForEachPeriod() {
		assertThat(granted(MIDNIGHT, 79)).containsExactly(true);
		assertThat(events()).isEmpty();
		assertThat(granted(MIDNIGHT, 1)).containsExactly(true);
		assertThat(events()).containsExactly("quota.warning daily 80 100 20 2030-02-02T00:00:00Z");
		assertThat(granted(MIDNIGHT, 20)).containsExactly(true);
		assertThat(granted(MIDNIGHT, 1)).containsExactly(false);
		Scope scope = Scope.of(this.account);
		await(this.transactions.in(scope, this.quotas.giveBack(scope, 50, MIDNIGHT)));
		assertThat(granted(MIDNIGHT, 50, 1)).containsExactly(true, false);
		assertThat(events()).containsExactly("quota.warning daily 80 100 20 2030-02-02T00:00:00Z",
				"quota.reached daily 100 100 0 2030-02-02T00:00:00Z");
		assertThat(granted(MIDNIGHT.plus(Duration.ofDays(1)), 101)).containsExactly(false);
		assertThat(events()).hasSize(3).last().isEqualTo("quota.reached daily 0 100 100 2030-02-03T00:00:00Z");
	}

	@Test
	void aPartOfAReservationIsReportedLikeAWholeOne() {
		assertThat(left()).isEqualTo(100);
		assertThat(reservedUpTo(80)).isEqualTo(80);
		assertThat(events()).containsExactly("quota.warning daily 80 100 20 2030-02-02T00:00:00Z");
		assertThat(reservedUpTo(30)).isEqualTo(20);
		assertThat(reservedUpTo(1)).isZero();
		assertThat(left()).isZero();
		assertThat(events()).hasSize(2).last().isEqualTo("quota.reached daily 100 100 0 2030-02-02T00:00:00Z");
		assertThat(used("2030-02-01", "2030-02-01")).containsExactly("100", "100");
	}

	@Test
	void concurrentReservationsReportALimitOnce() {
		List<Boolean> granted = await(Flux.range(0, 20)
			.flatMap((_) -> Mono.fromCallable(() -> reserve(MIDNIGHT, 10)).subscribeOn(Schedulers.boundedElastic()), 20)
			.map((refusals) -> refusals.getFirst().isEmpty())
			.collectList());
		assertThat(granted).filteredOn(Boolean::booleanValue).hasSize(10);
		assertThat(events()).extracting((event) -> event.substring(0, event.indexOf(' ')))
			.containsExactlyInAnyOrder("quota.warning", "quota.reached");
	}

	@Test
	void theMonthlyLimitIsReportedInItsOwnPeriod() {
		Given.run("insert into quota_use values ('%s', 'month', '2030-02-01', 2990)", this.account);
		assertThat(granted(MIDNIGHT, 10)).containsExactly(true);
		assertThat(events()).containsExactlyInAnyOrder("quota.warning monthly 3000 3000 0 2030-03-01T00:00:00Z",
				"quota.reached monthly 3000 3000 0 2030-03-01T00:00:00Z");
	}

	private long left() {
		Scope scope = Scope.of(this.account);
		return this.commits.<Long>in(scope, (jdbc) -> this.quotas.left(jdbc, scope, MIDNIGHT));
	}

	private long reservedUpTo(long count) {
		Scope scope = Scope.of(this.account);
		return this.commits.in(scope, (jdbc) -> this.quotas.reserveUpTo(jdbc, scope, count, MIDNIGHT)).count();
	}

	private List<String> events() {
		return Given
			.rows("select kind || ' ' || (data ->> 'period') || ' ' || (data ->> 'used') || ' ' || (data ->> 'limit') "
					+ "|| ' ' || (data ->> 'remaining') || ' ' || (data ->> 'resets_at') from event where account_id = '%s' "
					+ "order by id", this.account);
	}

	private List<Boolean> granted(Instant at, long... counts) {
		return reserve(at, counts).stream().map(Optional::isEmpty).toList();
	}

	private List<Optional<Quotas.LimitReached>> reserve(Instant at, long... counts) {
		List<Quotas.Reservation> reservations = Arrays.stream(counts)
			.mapToObj((count) -> new Quotas.Reservation(this.account, count))
			.toList();
		return this.commits.commit(List.of(this.account), Duration.ofSeconds(5),
				(jdbc) -> this.quotas.reserve(jdbc, reservations, at));
	}

	private List<String> used(String day, String month) {
		return Given
			.rows("select used from quota_use where account_id = '%s' and ((period = 'day' and starts_on = '%s') "
					+ "or (period = 'month' and starts_on = '%s')) order by period", this.account, day, month);
	}

}
