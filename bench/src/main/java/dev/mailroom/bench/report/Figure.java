package dev.mailroom.bench.report;

/** A figure that the benchmark measures in each round. */
public enum Figure {

	PGBENCH_ONE("pgbench, one-row commits, 64 clients", "/s"), ACCEPT_ONE("accepted one by one, 64 clients", "/s"),
	ACCEPT_MANY("the same from 50 accounts in turn", "/s"),
	PGBENCH_BATCH("pgbench, 100 rows of unnest, 4 clients", "/s"),
	ACCEPT_BATCH("accepted in batches of 100, 4 clients", "/s"), POSTFIX("Postfix, accept and relay", "/s"),
	HARAKA("Haraka, accept and relay", "/s"), DELIVER_ONE("delivered one by one, unsigned", "/s"),
	DELIVER_BATCH("delivered in batches of 100, unsigned", "/s"),
	DELIVER_ONE_SIGNED("delivered one by one, signed twice", "/s"),
	DELIVER_BATCH_SIGNED("delivered in batches of 100, signed twice", "/s"),
	STEADY_P50("request to 250 at 50/s, p50", "ms"), STEADY_P99("request to 250 at 50/s, p99", "ms"),
	POSTFIX_P50("Postfix, request to 250 at 50/s, p50", "ms"),
	POSTFIX_P99("Postfix, request to 250 at 50/s, p99", "ms"), HARAKA_P50("Haraka, request to 250 at 50/s, p50", "ms"),
	HARAKA_P99("Haraka, request to 250 at 50/s, p99", "ms"), HALF_PEAK("half of the peak of POST /emails", "/s"),
	HALF_PEAK_P99("response at half of the peak, p99", "ms"), NARROW("INSERT … SELECT of narrow rows", "/s"),
	FAN_OUT("contacts selected by a campaign", "/s"), CAMPAIGN_MAILS("mails made by a campaign", "/s"),
	CAMPAIGN("delivered by a campaign", "/s"), FIRST_MAIL("start of a large campaign to its first mail", "s"),
	HEAP_SMALL("live heap of the worker, small campaign", "MB"),
	HEAP_LARGE("live heap of the worker, large campaign", "MB"), LOG_FEW_P50("log, page 1, 10⁴ mails, p50", "ms"),
	LOG_FEW_P99("log, page 1, 10⁴ mails, p99", "ms"), LOG_MANY_P50("log, page 1, many mails, p50", "ms"),
	LOG_MANY_P99("log, page 1, many mails, p99", "ms"), LOG_HALF_P50("log, half depth, many mails, p50", "ms"),
	BOUNCED_FEW_P50("log of bounced mails, page 1, 10⁴ mails, p50", "ms"),
	BOUNCED_MANY_P50("log of bounced mails, page 1, many mails, p50", "ms"),
	BOUNCED_HALF_P50("log of bounced mails, half depth, many mails, p50", "ms"),
	REPUTATION_FEW_P50("reputation metrics, 10⁴ mails, p50", "ms"),
	REPUTATION_MANY_P50("reputation metrics, many mails, p50", "ms"),
	CAMPAIGNS_FEW_P50("list of campaigns, 10⁴ mails, p50", "ms"),
	CAMPAIGNS_MANY_P50("list of campaigns, many mails, p50", "ms"),
	QUIET_P50("quiet account, request to 250, p50", "ms"), QUIET_P99("quiet account, request to 250, p99", "ms"),
	QUIET_ACCEPT_P99("quiet account, response, p99", "ms"), BESIDE_P50("beside a burst, request to 250, p50", "ms"),
	BESIDE_P99("beside a burst, request to 250, p99", "ms"), BESIDE_ACCEPT_P99("beside a burst, response, p99", "ms"),
	BURST_LEFT("mails of the burst still waiting at the end", ""), WEBHOOK_P99("event to webhook call, p99", "ms"),
	WEBHOOK_HANGING_P99("the same while another endpoint hangs, p99", "ms"),
	WEBHOOK_RATE("delivered with webhooks", "/s"), WEBHOOK_HANGING_RATE("the same while the endpoint hangs", "/s"),
	MEMORY_API("peak resident memory of the API", "MiB"), MEMORY_WORKER("peak resident memory of the worker", "MiB"),
	START_API("start of the API to ready", "s"), START_AOT("start of the API with an AOT cache to ready", "s"),
	START_STANDALONE("warm start of the standalone to ready", "s"), DRAIN("drain of a backlog after an outage", "/s"),
	BLOAT("size of the tables / after VACUUM FULL", "×"),
	LIMITED_LEASES("leases published for a mail to a rate-limited destination", ""),
	LIMITED_WAL("write-ahead log for such a mail", "B"),
	UNLIMITED_WAL("write-ahead log for a mail without a limit", "B"),
	UNDISTURBED_P50("another account before it, request to 250, p50", "ms"),
	UNDISTURBED_P99("another account before it, request to 250, p99", "ms"),
	BESIDE_LIMITED_P50("another account beside its waiting mail, request to 250, p50", "ms"),
	BESIDE_LIMITED_P99("another account beside its waiting mail, request to 250, p99", "ms"),
	AFTER_PAUSE("hand-overs begun after a pause has answered", ""),
	TURN_15("turn of the dispatcher with an empty queue, PostgreSQL 15 with default settings, p50", "ms"),
	TURN_18("the same, PostgreSQL 18", "ms");

	private final String label;

	private final String unit;

	Figure(String label, String unit) {
		this.label = label;
		this.unit = unit;
	}

	String label() {
		return this.label;
	}

	/** Unit of the values; empty for a number. */
	String unit() {
		return this.unit;
	}

	/** Whether it belongs to another program, with which Mailroom is compared. */
	boolean isReference() {
		return name().startsWith("PGBENCH") || name().startsWith("POSTFIX") || name().startsWith("HARAKA")
				|| this == NARROW;
	}

}
