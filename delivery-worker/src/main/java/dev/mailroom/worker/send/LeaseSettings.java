package dev.mailroom.worker.send;

import java.time.Duration;

import dev.mailroom.Allowed;
import dev.mailroom.WrongSetting;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of leases, as in the core.
 *
 * @param lease time from the lease of a delivery until its hand-over must have begun
 * @param dataLease time limit of a hand-over
 */
@ConfigurationProperties("mailroom")
record LeaseSettings(@DefaultValue("60s") @Allowed(from = "1s", to = "10m") Duration lease,
		@DefaultValue("15m") @Allowed(from = "1s", to = "1h") Duration dataLease) {

	/**
	 * Checks that no lease of a hand-over expires while its worker still communicates
	 * with the server: another worker would send the mail again.
	 * @param beginWithin time after the fence within which a hand-over must begin
	 * @param handOverLimit longest time from its beginning to its outcome
	 * @throws WrongSetting if the lease is too short
	 */
	void check(Duration beginWithin, Duration handOverLimit) {
		Duration required = beginWithin.plus(handOverLimit);
		if (this.dataLease.compareTo(required) < 0) {
			throw new WrongSetting("MAILROOM_DATA_LEASE", this.dataLease.toSeconds() + "s",
					"at least " + required.toSeconds() + "s, the longest time of a hand-over");
		}
	}

}
