package dev.mailroom.domain;

import java.util.List;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import dev.mailroom.database.JdbcTransactions;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.awaitRefusal;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class WarmupsTest {

	@Autowired
	Warmups warmups;

	@Autowired
	JdbcTransactions threads;

	private final Scope owner = Scope.of(Given.account("pro"));

	private final UUID domain = Given.domain(this.owner.account());

	@Test
	void eachDayPermitsHalfAsManyMoreThanTheDayBefore() {
		assertThat(this.warmups.plan()).startsWith(200L, 300L, 450L, 675L, 1013L).hasSize(16).isSorted();
		assertThat(this.warmups.plan().getLast()).isEqualTo(87_579);
	}

	@Test
	void aWarmUpBeginsWithTheFirstDayOfThePlanAndEndsAfterItsLast() {
		await(this.warmups.start(this.owner, this.domain));
		Warmup warmup = warmup();
		assertThat(warmup.allowances()).isEqualTo(this.warmups.plan());
		assertThat(warmup.day()).isEqualTo(1);
		assertThat(warmup.allowance()).isEqualTo(warmup.left()).isEqualTo(this.warmups.plan().getFirst());
		assertThat(Given.rows("select date_trunc('day', now(), 'UTC') + interval '1 day' = '%s'", warmup.resetsAt()))
			.containsExactly("t");
		assertThat(Given.rows("select date_trunc('day', now(), 'UTC') + interval '16 days' = '%s'", warmup.endsAt()))
			.containsExactly("t");
	}

	@Test
	void onlyDaysWithMailsLetItGrow() {
		await(this.warmups.start(this.owner, this.domain));
		count(150);
		count(20);
		assertThat(warmup()).extracting(Warmup::day, Warmup::usedToday, Warmup::left).containsExactly(1, 170L, 30L);
		daysPass(1);
		assertThat(warmup()).extracting(Warmup::day, Warmup::usedToday, Warmup::left).containsExactly(2, 0L, 300L);
		daysPass(5);
		assertThat(warmup().day()).isEqualTo(2);
		count(1);
		assertThat(warmup()).extracting(Warmup::day, Warmup::usedToday, Warmup::left).containsExactly(2, 1L, 299L);
	}

	@Test
	void itEndsByItselfAndMayBeStartedAgain() {
		await(this.warmups.start(this.owner, this.domain));
		Given.run("update domain_warmup set day = 16, used = 5, counted_on = (now() at time zone 'UTC')::date "
				+ "where domain_id = '%s'", this.domain);
		assertThat(warmup().left()).isEqualTo(87_574);
		daysPass(1);
		assertThat(found()).isEmpty();
		assertThat(this.threads.<Long>in(this.owner, (jdbc) -> this.warmups.left(jdbc, this.owner, this.domain)))
			.isEqualTo(Long.MAX_VALUE);
		await(this.warmups.start(this.owner, this.domain));
		assertThat(warmup()).extracting(Warmup::day, Warmup::usedToday).containsExactly(1, 0L);
	}

	@Test
	void aStartDuringAWarmUpChangesNothing() {
		await(this.warmups.start(this.owner, this.domain));
		count(10);
		Warmup before = warmup();
		await(this.warmups.start(this.owner, this.domain));
		assertThat(warmup()).isEqualTo(before);
		await(this.warmups.stop(this.owner, this.domain));
		await(this.warmups.stop(this.owner, this.domain));
		assertThat(found()).isEmpty();
		assertThat(Given.rows("select act from audit where target = '%s' order by id", this.domain))
			.containsExactly("domain.warmup_started", "domain.warmup_stopped");
	}

	@Test
	void aTransactionFromBeforeMidnightIsCountedOnTheLaterDay() {
		await(this.warmups.start(this.owner, this.domain));
		Given.run("update domain_warmup set day = 2, used = 5, counted_on = (now() at time zone 'UTC')::date + 1 "
				+ "where domain_id = '%s'", this.domain);
		count(7);
		assertThat(warmup()).extracting(Warmup::day, Warmup::usedToday, Warmup::left).containsExactly(2, 12L, 288L);
	}

	@Test
	void theDomainsOfOtherAccountsAreNotFound() {
		Scope stranger = Scope.of(Given.account("pro"));
		awaitRefusal("Domain not found", this.warmups.start(stranger, this.domain));
		await(this.warmups.start(this.owner, this.domain));
		awaitRefusal("Domain not found", this.warmups.stop(stranger, this.domain));
		assertThat(await(this.warmups.findAll(stranger, List.of(this.domain)))).isEmpty();
		assertThat(found()).hasSize(1);
	}

	@Test
	void aWarmUpIsDeletedWithItsDomain() {
		await(this.warmups.start(this.owner, this.domain));
		Given.run("delete from domain where id = '%s'", this.domain);
		assertThat(found()).isEmpty();
	}

	private Warmup warmup() {
		return found().getFirst();
	}

	private List<Warmup> found() {
		return List.copyOf(await(this.warmups.findAll(this.owner, List.of(this.domain))).values());
	}

	private void count(long mails) {
		this.threads.run(this.owner, (jdbc) -> {
			assertThat(this.warmups.left(jdbc, this.owner, this.domain)).isNotNegative();
			this.warmups.count(jdbc, this.owner, this.domain, mails);
		});
	}

	private void daysPass(int days) {
		Given.run("update domain_warmup set counted_on = counted_on - %d where domain_id = '%s'", days, this.domain);
	}

}
