package dev.mailroom.mail.accept;

import java.time.Duration;
import java.util.Locale;

/**
 * Application event, published for each channel of a group of mails that was committed.
 *
 * @param count number of mails
 */
public record MailAccepted(Channel channel, int count) {

	/** {@code transactional} or {@code campaign}. */
	public String stream() {
		return (this.channel == Channel.CAMPAIGN) ? "campaign" : "transactional";
	}

	/** Ways by which mail arrives. */
	public enum Channel {

		/** A single mail over REST or GraphQL. */
		API,

		/** A batch over REST or GraphQL. */
		BATCH,

		/** A tool of the Model Context Protocol. */
		MCP,

		/** SMTP submission. */
		SMTP,

		/** The fan-out of a campaign. */
		CAMPAIGN,

		/**
		 * Mail that Mailroom writes: notices, requests to confirm a subscription, and
		 * received mail that a route forwards.
		 */
		PLATFORM;

		/** The name in lower case. */
		public String contractName() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

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
