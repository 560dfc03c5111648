package dev.mailroom.operator;

import dev.mailroom.account.AccountRows;
import org.jspecify.annotations.Nullable;

/**
 * Limits of accounts; null is none.
 *
 * @param dailyLimit mails per day of UTC
 * @param monthlyLimit mails per calendar month of UTC
 * @param accounts number of accounts that have it
 */
public record Plan(String name, @Nullable Long dailyLimit, @Nullable Long monthlyLimit, @Nullable Long domainLimit,
		@Nullable Long contactBookLimit, @Nullable Long contactLimit, long accounts) {

	AccountRows.PlanLimits limits() {
		return new AccountRows.PlanLimits(this.dailyLimit, this.monthlyLimit, this.domainLimit, this.contactBookLimit,
				this.contactLimit);
	}

}
