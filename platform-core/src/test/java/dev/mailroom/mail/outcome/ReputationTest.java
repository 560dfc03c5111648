package dev.mailroom.mail.outcome;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import dev.mailroom.database.JdbcTransactions;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class ReputationTest {

	private static final Reputations.Period ALL = new Reputations.Period(null, null, null);

	@Autowired
	Reputations reputations;

	@Autowired
	SettlementStore store;

	@Autowired
	JdbcTransactions transactions;

	private final Scope scope = Given.sender("free");

	@Test
	void mailsAreCountedWithTheirCauses() {
		count(List.of(mail(ReputationCount.Metric.DELIVERED, "250 ok"),
				mail(ReputationCount.Metric.DELIVERED, "250 ok"),
				mail(ReputationCount.Metric.HARD_BOUNCED, "550 5.1.1 who?"),
				mail(ReputationCount.Metric.COMPLAINED, null)));
		count(List.of(mail(ReputationCount.Metric.HARD_BOUNCED, "550 5.1.1 who?"),
				mail(ReputationCount.Metric.HARD_BOUNCED, null)));
		Reputations.Report report = await(this.reputations.report(this.scope, ALL));
		assertThat(report.figures()).isEqualTo(new Reputations.Figures(2, 3, 1));
		assertThat(report.causes()).containsExactly(new Reputations.Cause("5.1.1", 2),
				new Reputations.Cause("complaint", 1), new Reputations.Cause("other", 1));
	}

	@Test
	void mailAcceptedByARelayCountsAsDeliveredAfterThreeDays() {
		count(List.of(mail(ReputationCount.Metric.SENT, "250 queued")));
		assertThat(await(this.reputations.figures(this.scope, ALL))).isEqualTo(new Reputations.Figures(0, 0, 0));
		Given.run("update reputation_day set day = day - 3 where account_id = '%s'", this.scope.account());
		assertThat(await(this.reputations.figures(this.scope, ALL))).isEqualTo(new Reputations.Figures(0, 0, 0));
		Given.run("update reputation_day set day = day - 1 where account_id = '%s'", this.scope.account());
		assertThat(await(this.reputations.figures(this.scope, ALL))).isEqualTo(new Reputations.Figures(1, 0, 0));
	}

	@Test
	void concurrentGroupsLoseNoCountsAndDoNotDeadlock() {
		List<ReputationCount> mails = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			Scope sender = Given.sender("free");
			mails.add(new ReputationCount(sender.account(), UUID.randomUUID(), ReputationCount.Metric.HARD_BOUNCED,
					"550 5.1.1"));
			mails.add(mail(ReputationCount.Metric.DELIVERED, null));
		}
		Await.together(40, (i) -> {
			List<ReputationCount> shuffled = new ArrayList<>(mails);
			Collections.shuffle(shuffled, new Random(i));
			count(shuffled);
			return i;
		});
		assertThat(await(this.reputations.figures(this.scope, ALL)).delivered()).isEqualTo(800);
		Scope first = Scope.of(mails.getFirst().accountId());
		assertThat(await(this.reputations.figures(first, ALL)).hardBounced()).isEqualTo(40);
	}

	@Test
	void anApiKeySeesItsDomainAndOtherAccountsSeeNothing() {
		count(List.of(mail(ReputationCount.Metric.DELIVERED, null)));
		Scope other = Scope.of(this.scope.account(), Given.domain(this.scope.account()), UUID.randomUUID());
		Reputations.Period ofDomain = new Reputations.Period(this.scope.domain(), null, null);
		assertThat(await(this.reputations.figures(Scope.of(this.scope.account()), ALL)).delivered()).isEqualTo(1);
		assertThat(await(this.reputations.figures(other, ALL)).delivered()).isZero();
		assertThat(await(this.reputations.figures(other, ofDomain)).delivered()).isZero();
		assertThat(await(this.reputations.figures(Given.sender("free"), ofDomain)).delivered()).isZero();
	}

	private void count(List<ReputationCount> mails) {
		this.transactions.runAcrossAccounts((jdbc) -> this.store.count(jdbc, mails, List.of()));
	}

	private ReputationCount mail(ReputationCount.Metric metric, String reply) {
		return new ReputationCount(this.scope.account(), this.scope.domain(), metric, reply);
	}

}
