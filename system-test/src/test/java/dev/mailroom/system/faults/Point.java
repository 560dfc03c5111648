package dev.mailroom.system.faults;

import java.util.List;

/**
 * A point at which a program is ended: a row of the crash table. The agent inserts it
 * into the method when the class is loaded.
 */
enum Point {

	/** Ready to start: the process waits here until it is needed. */
	READY("org.springframework.context.support.DefaultLifecycleProcessor", "onRefresh", false, "", "ready"),
	/** Rows are written but not committed. */
	API_BEFORE_COMMIT("org.postgresql.jdbc.PgConnection", "commit", false, "", "API before COMMIT"),
	/** Committed, but the client has no response. */
	API_BEFORE_ANSWER("dev.mailroom.mail.accept.Group", "complete", false, "", "API after COMMIT, before the response"),
	/** Leased, but not published. */
	LEASED("dev.mailroom.worker.dispatch.DeliveryTopic", "publish", false, "queued", "leased, not published"),
	/** Published, but not consumed. */
	PUBLISHED("dev.mailroom.worker.send.DeliveryListener", "take", false, "queued", "published, not consumed"),
	/** Consumed, with an open session, but not fenced. */
	TAKEN("dev.mailroom.mail.queue.Queue", "fence", false, "queued", "consumed, not fenced"),
	/** Fenced, but nothing was sent to the server. */
	FENCED("dev.mailroom.worker.send.HandOvers", "hand", false, "in_data", "fenced, nothing sent"),
	/** The reply 250 was received, but not settled. */
	ANSWERED("dev.mailroom.worker.send.Settler", "settleGroup", false, "in_data", "250 received, not settled"),
	/** The settlement is written but not committed. */
	SETTLING("dev.mailroom.mail.outcome.SettlementStore", "count", false, "in_data", "settling, before COMMIT"),
	/** The settlement is committed. */
	SETTLED("dev.mailroom.worker.send.Settler", "settleGroup", true, "done|queued", "settled");

	private final String type;

	private final String method;

	private final boolean atEnd;

	private final String leaves;

	private final String description;

	Point(String type, String method, boolean atEnd, String leaves, String description) {
		this.type = type.replace('.', '/');
		this.method = method;
		this.atEnd = atEnd;
		this.leaves = leaves;
		this.description = description;
	}

	/** Whether the point is in the worker. */
	boolean isWorkers() {
		return !this.leaves.isEmpty();
	}

	/**
	 * Whether no mail can have been sent before this point. A lone mail is sent without
	 * the topic, so others can have been sent before the first record.
	 */
	boolean isBeforeData() {
		return this == TAKEN || this == FENCED;
	}

	/** Whether deliveries may be left in this phase. */
	boolean leaves(String phase) {
		return phase.matches(this.leaves);
	}

	/** The number by which the agent identifies it. */
	int number() {
		return List.of(values()).indexOf(this);
	}

	/** Its name in the crash table. */
	String description() {
		return this.description;
	}

	/** Internal name of its class. */
	String type() {
		return this.type;
	}

	/** Whether it is at the beginning or at the end of this method. */
	boolean isIn(String type, String method, boolean atEnd) {
		return this.type.equals(type) && this.method.equals(method) && this.atEnd == atEnd;
	}

}
