package dev.mailroom.operator;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import dev.mailroom.account.Account;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class AutoPauseTest {

	@Autowired
	AutoPause autoPause;

	private final Scope scope = Given.sender("unlimited");

	@ParameterizedTest
	@CsvSource({ "189, 0, 11, 0, 5.5 % of the mails of the last 7 days came back", "0, 940, 60, 0, 6.0 %",
			"2997, 0, 3, 4, 0.133 % of the mails of the last 7 days were reported as spam" })
	void anAccountWithARiskyRateIsPausedWithTheReason(int delivered, int sent, int bounced, int complained,
			String reason) {
		counted(0, delivered, sent, bounced, complained);
		pauseRiskyAccounts();
		assertThat(paused()).contains(reason);
	}

	@ParameterizedTest
	@CsvSource({ "150, 0, 49, 0", "190, 0, 10, 0", "0, 950, 50, 0", "999, 0, 0, 5", "1000, 0, 0, 2", "3000, 0, 0, 3" })
	void smallSamplesAndAcceptableRatesDoNotPause(int delivered, int sent, int bounced, int complained) {
		counted(0, delivered, sent, bounced, complained);
		pauseRiskyAccounts();
		assertThat(paused()).isEqualTo("null");
	}

	@Test
	void reportsOfUnknownSendersDoNotPause() {
		counted(0, 1000, 0, 100, 100);
		Given.run("update reputation_day set unverified_bounced = 90, unverified_complained = 98 "
				+ "where account_id = '%s'", this.scope.account());
		pauseRiskyAccounts();
		assertThat(paused()).isEqualTo("null");
	}

	@Test
	void bouncesBeforeTheObservedDaysDoNotPause() {
		counted(7, 100, 0, 100, 0);
		pauseRiskyAccounts();
		assertThat(paused()).isEqualTo("null");
	}

	@Test
	void theOwnerIsNotifiedOnce() {
		counted(1, 100, 0, 100, 0);
		Await.together(4, (_) -> this.autoPause.pauseRiskyAccounts());
		pauseRiskyAccounts();
		assertThat(Given.rows("select subject from email where to_emails = '{%s@owner.test}'", this.scope.account()))
			.containsExactly("Sending is paused for your account");
	}

	@Test
	void mailCountedBeforeALiftDoesNotPauseAgain() {
		counted(0, 100, 0, 100, 0);
		pauseRiskyAccounts();
		assertThat(this.autoPause.lift(this.scope).block(Duration.ofSeconds(20))).isTrue();
		assertThat(this.autoPause.lift(this.scope).block(Duration.ofSeconds(20))).isFalse();
		pauseRiskyAccounts();
		assertThat(paused()).isEqualTo("null");
		counted(-1, 100, 0, 100, 0);
		pauseRiskyAccounts();
		assertThat(paused()).startsWith("50.0 %");
	}

	@Test
	void neitherThePlatformNorItsOperatorsArePaused() {
		Given.run("update account set role = 'operator' where id = '%s'", this.scope.account());
		counted(0, 100, 0, 100, 0);
		Given.run("insert into reputation_day (account_id, domain_id, day, hard_bounced) values ('%s', '%s', "
				+ "current_date, 5000)", Account.PLATFORM, UUID.randomUUID());
		pauseRiskyAccounts();
		assertThat(paused()).isEqualTo("null");
		assertThat(Given
			.rows("select id from account where role in ('platform', 'operator') and paused_reason is not null"))
			.isEmpty();
		Given.run("delete from reputation_day where account_id = '%s'", Account.PLATFORM);
	}

	private void counted(int daysAgo, int delivered, int sent, int bounced, int complained) {
		Given.run(
				"insert into reputation_day (account_id, domain_id, day, delivered, sent, hard_bounced, complained) "
						+ "values ('%s', '%s', (now() at time zone 'UTC')::date - (%d), %d, %d, %d, %d)",
				this.scope.account(), this.scope.domain(), daysAgo, delivered, sent, bounced, complained);
	}

	private void pauseRiskyAccounts() {
		this.autoPause.pauseRiskyAccounts();
	}

	private String paused() {
		List<String> reason = Given.rows("select paused_reason from account where id = '%s'", this.scope.account());
		return reason.getFirst();
	}

}
