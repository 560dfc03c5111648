package dev.mailroom.accept;

import java.time.Duration;

/**
 * Application event, published once for each group of mails that was committed.
 *
 * @param stream {@code transactional} or {@code campaign}
 * @param count number of mails
 */
public record Accepted(String stream, int count) {

	/**
	 * Application event, published once for each transaction that committed a group.
	 *
	 * @param requests number of requests in the group
	 * @param took time from the beginning of the transaction to its commit
	 */
	public record Commit(int requests, Duration took) {

		static Commit of(int requests, long nanos) {
			return new Commit(requests, Duration.ofNanos(nanos));
		}

	}
}
