package dev.mailroom.admin.graphql;

import java.util.UUID;

import dev.mailroom.Refused;
import dev.mailroom.admin.WithAdmin;
import dev.mailroom.mail.accept.SendRates;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@WithAdmin
class AccountRatesTest {

	@Autowired
	SendRates rates;

	@Test
	void requestsCountByTheirCostAndMailsToSendByTheirNumber() {
		SimpleMeterRegistry meters = new SimpleMeterRegistry();
		AccountRates limits = new AccountRates(new RateSettings(true, 1, 5, 1, 10), this.rates, meters);
		UUID account = UUID.randomUUID();
		limits.consume(account, new DocumentCost.Total(1000, 4));
		limits.consume(account, new DocumentCost.Total(10, 1));
		assertRefused(limits, account, new DocumentCost.Total(10, 1));
		assertRefused(limits, account, new DocumentCost.Total(1000, 0));
		limits.consume(UUID.randomUUID(), new DocumentCost.Total(1000, 5));
		assertThat(meters.counter("mailroom.rate.limited", "kind", "send").count()).isEqualTo(1);
		assertThat(meters.counter("mailroom.rate.limited", "kind", "other").count()).isEqualTo(1);
	}

	private static void assertRefused(AccountRates limits, UUID account, DocumentCost.Total cost) {
		assertThatExceptionOfType(Refused.class).isThrownBy(() -> limits.consume(account, cost))
			.satisfies((refused) -> {
				assertThat(refused.refusal().name()).isEqualTo("rate_limit_exceeded");
				assertThat(refused.retryAfter()).isPositive();
			});
	}

}
