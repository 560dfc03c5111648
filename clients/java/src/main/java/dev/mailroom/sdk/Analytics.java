package dev.mailroom.sdk;

import java.util.function.Consumer;

/**
 * Operations of <code>analytics</code>.
 */
public final class Analytics {

	final Transport transport;

	Analytics(Transport transport) {
		this.transport = transport;
	}

	/**
	 * Show bounce and complaint rates. Over all time unless a period is given.
	 * Permission: analytics.read.
	 */
	public ReputationMetrics metrics(AnalyticsMetricsQuery query) {
		return ReputationMetrics.of(this.transport
			.json(new Call("analytics.metrics", "GET", "/analytics/reputation-metrics").query(query)));
	}

	/**
	 * Show bounce and complaint rates. Over all time unless a period is given.
	 * Permission: analytics.read.
	 */
	public ReputationMetrics metrics() {
		return metrics(new AnalyticsMetricsQuery());
	}

	/**
	 * Show bounce and complaint rates. Over all time unless a period is given.
	 * Permission: analytics.read.
	 */
	public ReputationMetrics metrics(Consumer<AnalyticsMetricsQuery> query) {
		AnalyticsMetricsQuery fields = new AnalyticsMetricsQuery();
		query.accept(fields);
		return metrics(fields);
	}

	/**
	 * Show the reputation of the account or a domain, with causes and advice. Over the
	 * last 30 days unless a period is given. Permission: analytics.read.
	 */
	public Reputation reputation(AnalyticsReputationQuery query) {
		return Reputation
			.of(this.transport.json(new Call("analytics.reputation", "GET", "/analytics/reputation").query(query))
				.object("data")
				.object("reputation"));
	}

	/**
	 * Show the reputation of the account or a domain, with causes and advice. Over the
	 * last 30 days unless a period is given. Permission: analytics.read.
	 */
	public Reputation reputation() {
		return reputation(new AnalyticsReputationQuery());
	}

	/**
	 * Show the reputation of the account or a domain, with causes and advice. Over the
	 * last 30 days unless a period is given. Permission: analytics.read.
	 */
	public Reputation reputation(Consumer<AnalyticsReputationQuery> query) {
		AnalyticsReputationQuery fields = new AnalyticsReputationQuery();
		query.accept(fields);
		return reputation(fields);
	}

}
