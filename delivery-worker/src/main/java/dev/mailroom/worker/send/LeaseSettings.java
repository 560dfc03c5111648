package dev.mailroom.worker.send;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of leases, as in the core.
 *
 * @param lease time from the lease of a delivery until its hand-over must have begun
 * @param dataLease time limit of a hand-over
 */
@ConfigurationProperties("mailroom")
record LeaseSettings(@DefaultValue("60s") Duration lease, @DefaultValue("15m") Duration dataLease) {

	/**
	 * Checks that no lease of a hand-over expires while its worker still communicates
	 * with the server: another worker would send the mail again.
	 * @param beginWithin time after the fence within which a hand-over must begin
	 * @param handOverLimit longest time from its beginning to its outcome
	 * @throws IllegalStateException if the lease is too short
	 */
	void check(Duration beginWithin, Duration handOverLimit) {
		Duration required = beginWithin.plus(handOverLimit);
		if (this.dataLease.compareTo(required) < 0) {
			throw new IllegalStateException("MAILROOM_DATA_LEASE is " + this.dataLease.toSeconds()
					+ " s, but a hand-over may take " + required.toSeconds() + " s: MAILROOM_SEND_BEGIN_WITHIN ("
					+ beginWithin.toSeconds() + " s) and the reply and dot timeouts of relay and mx ("
					+ handOverLimit.toSeconds() + " s). Raise the lease or lower these limits");
		}
	}

}
