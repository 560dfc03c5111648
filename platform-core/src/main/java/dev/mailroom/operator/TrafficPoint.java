package dev.mailroom.operator;

import java.time.Instant;

/**
 * Counts of one period.
 *
 * @param at beginning of the period
 * @param accepted mails that became durable
 * @param delivered deliveries that a recipient's server or a relay accepted
 * @param bounced deliveries that were refused permanently
 * @param failed deliveries that were given up
 * @param deferred attempts that were refused temporarily
 * @param requests answered requests to the API
 * @param errors those with a status of 500 or above
 * @param sends requests to send one mail or a batch
 * @param lateSends those that took more than 250 ms
 */
public record TrafficPoint(Instant at, long accepted, long delivered, long bounced, long failed, long deferred,
		long requests, long errors, long sends, long lateSends) {

	/** Whether nothing was counted. */
	boolean isEmpty() {
		return this.accepted + this.delivered + this.bounced + this.failed + this.deferred + this.requests == 0;
	}

	/** Lengths of the periods, in UTC. */
	public enum Period {

		/** Kept for two days. */
		MINUTE("minute"),
		/** Kept for sixty days. */
		HOUR("hour"),
		/** Kept for three years. */
		DAY("day");

		private final String contractName;

		Period(String contractName) {
			this.contractName = contractName;
		}

		/** The name in the database. */
		String contractName() {
			return this.contractName;
		}

	}

}
