package dev.mailroom.mail.log;

import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.database.Transactions;
import dev.mailroom.mail.accept.Quotas;
import dev.mailroom.mail.accept.Quotas;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class UsagesTest {

	@Autowired
	Usages usages;

	@Autowired
	Quotas quotas;

	@Autowired
	Transactions transactions;

	@Autowired
	JdbcTransactions commits;

	@Autowired
	Clock clock;

	private final UUID account = Given.account("free");

	private final Scope scope = Scope.of(this.account);

	@Test
	void anUnusedAccountHasItsWholePlan() {
		AccountUsage usage = await(this.usages.of(this.scope));
		assertThat(usage.plan()).isEqualTo("free");
		assertThat(usage.daily().used()).isZero();
		assertThat(usage.daily().remaining()).isEqualTo(usage.daily().limit()).isEqualTo(100);
		assertThat(usage.domains().used()).isZero();
	}

	@Test
	void mailsDomainsAndContactsAreCounted() {
		Given.domain(this.account);
		Given.run("insert into contact_book (id, account_id, name, contacts, created_at, updated_at) "
				+ "values ('%s', '%s', 'Book', 3, now(), now())", UUID.randomUUID(), this.account);
		this.commits.commit(List.of(this.account), Duration.ofSeconds(5), (jdbc) -> this.quotas.reserve(jdbc,
				List.of(new Quotas.Reservation(this.account, 2)), this.clock.instant()));
		AccountUsage usage = await(this.usages.of(this.scope));
		assertThat(usage.daily().used()).isEqualTo(2);
		assertThat(usage.monthly().used()).isEqualTo(2);
		assertThat(usage.domains().used()).isEqualTo(1);
		assertThat(usage.contactBooks().used()).isEqualTo(1);
		assertThat(usage.contacts().used()).isEqualTo(3);
	}

	@Test
	void aReducedPlanLeavesNothingRemaining() {
		this.commits.commit(List.of(this.account), Duration.ofSeconds(5), (jdbc) -> this.quotas.reserve(jdbc,
				List.of(new Quotas.Reservation(this.account, 2)), this.clock.instant()));
		Given.run(
				"insert into plan (name, daily_limit, monthly_limit, weight) values ('tiny', 1, 1, 1) on conflict do nothing");
		Given.run("update account set plan = 'tiny' where id = '%s'", this.account);
		AccountUsage usage = await(this.usages.of(this.scope));
		assertThat(usage.daily().remaining()).isZero();
		assertThat(usage.daily().used()).isEqualTo(2);
	}

	@Test
	void aPlanWithoutLimitsHasNone() {
		Given.run("update account set plan = 'unlimited' where id = '%s'", this.account);
		AccountUsage usage = await(this.usages.of(this.scope));
		assertThat(usage.daily().limit()).isNull();
		assertThat(usage.daily().remaining()).isNull();
	}

	@Test
	void quotasAreResetAtMidnightUtcAndOnTheFirstOfAMonth() {
		AccountUsage usage = await(this.usages.of(this.scope));
		assertThat(usage.daily().resetsAt()).isEqualTo(usage.daily().resetsAt().truncatedTo(ChronoUnit.DAYS))
			.isAfter(this.clock.instant());
		assertThat(usage.monthly().resetsAt().atOffset(ZoneOffset.UTC).getDayOfMonth()).isEqualTo(1);
	}

}
