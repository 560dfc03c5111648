package dev.mailroom.http;

import java.util.UUID;

import dev.mailroom.WithCore;
import dev.mailroom.http.AccountRates.Rate;
import dev.mailroom.mail.accept.SendRates;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class AccountRatesTest {

	private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

	@Autowired
	SendRates sends;

	@Test
	void mailsAndOtherRequestsHaveLimitsOfTheirOwn() {
		AccountRates rates = new AccountRates(new RateSettings(true, 1, 5, 1, 10), this.sends, this.meters);
		UUID account = UUID.randomUUID();
		assertThat(refused(rates, account, true, 5)).isFalse();
		assertThat(refused(rates, account, false, 6)).isFalse();
		assertThat(refused(rates, account, true, 1)).isTrue();
		assertThat(refused(rates, account, false, 6)).isTrue();
		assertThat(refused(rates, account, false, 4)).isFalse();
		assertThat(refused(rates, UUID.randomUUID(), true, 5)).isFalse();
		assertThat(this.meters.counter("mailroom.rate.limited", "kind", "send").count()).isEqualTo(1);
		assertThat(this.meters.counter("mailroom.rate.limited", "kind", "other").count()).isEqualTo(1);
	}

	@Test
	void anExpensiveRequestCountsAsTheWholeBurstAtMostAndTooManyMailsAreRefused() {
		AccountRates rates = new AccountRates(new RateSettings(true, 1, 5, 1, 10), this.sends, this.meters);
		assertThat(refused(rates, UUID.randomUUID(), false, 1000)).isFalse();
		assertThat(refused(rates, UUID.randomUUID(), true, 6)).isTrue();
	}

	@Test
	void nothingIsCountedIfLimitsAreOff() {
		AccountRates rates = new AccountRates(new RateSettings(false, 1, 1, 1, 1), this.sends, this.meters);
		assertThat(rates.consume(UUID.randomUUID(), true, 100)).isEmpty();
	}

	private static boolean refused(AccountRates rates, UUID account, boolean send, long requests) {
		Rate rate = rates.consume(account, send, requests).orElseThrow();
		if (rate.refused() == null) {
			return false;
		}
		assertThat(rate.refused().refusal().name()).isEqualTo("rate_limit_exceeded");
		assertThat(rate.refused().retryAfter()).isPositive();
		return true;
	}

}
