package dev.mailroom.system.faults;

import java.util.List;

/**
 * A place where a program dies, by the row of the crash table that it belongs to. The
 * programs know nothing of it: the agent puts it into the method as its class is loaded.
 */
enum Point {

	/**
	 * All is set up and nothing has begun: where it does not die, but waits for its turn.
	 */
	READY("org.springframework.context.support.DefaultLifecycleProcessor", "onRefresh", false, "", "ready"),
	/** All is written and nothing is durable. */
	API_BEFORE_COMMIT("io.r2dbc.postgresql.PostgresqlConnection", "commitTransaction", false, "", "API before COMMIT"),
	/** Durable, and nobody was told. */
	API_BEFORE_ANSWER("dev.mailroom.accept.Group", "tell", false, "", "API after COMMIT, before the answer"),
	/** Leased, and the topic knows nothing of it. */
	LEASED("dev.mailroom.worker.dispatch.DeliveryTopic", "publish", false, "leased", "leased, not published"),
	/** In the topic, taken by nobody. */
	PUBLISHED("dev.mailroom.worker.send.DeliveryListener", "take", false, "leased", "published, not taken"),
	/** Taken from the topic, with a session and without the fence. */
	TAKEN("dev.mailroom.queue.Queue", "fence", false, "leased", "taken, not fenced"),
	/** Behind the fence, and not a word was said to the server. */
	FENCED("dev.mailroom.worker.send.ChunkSender", "hand", false, "in_data", "fenced, nothing said"),
	/** The server said 250, and only this process knows. */
	ANSWERED("dev.mailroom.worker.send.Settler", "settleGroup", false, "in_data", "250 read, not settled"),
	/** The settlement is written and not durable. */
	SETTLING("dev.mailroom.suppression.Suppressions", "add", false, "in_data", "settling, before COMMIT"),
	/** The settlement is durable. */
	SETTLED("dev.mailroom.worker.send.Settler", "settleGroup", true, "done|queued", "settled");

	private final String type;

	private final String method;

	private final boolean atEnd;

	private final String leaves;

	private final String words;

	Point(String type, String method, boolean atEnd, String leaves, String words) {
		this.type = type;
		this.method = method;
		this.atEnd = atEnd;
		this.leaves = leaves;
		this.words = words;
	}

	/** Whether it is a point in the worker's way, and not in the API's. */
	boolean isWorkers() {
		return !this.leaves.isEmpty();
	}

	/** Whether nothing can have been said to a server where a program dies there. */
	boolean isBeforeData() {
		return this.compareTo(FENCED) <= 0;
	}

	/** Whether a delivery in this phase is what the table says is left behind. */
	boolean leaves(String phase) {
		return phase.matches(this.leaves);
	}

	/** By which it is named to the program. */
	int number() {
		return List.of(values()).indexOf(this);
	}

	/** The crash table's words for it. */
	String words() {
		return this.words;
	}

	/** Whether it is in this class, named as class files name it. */
	boolean isOf(String type) {
		return this.type.replace('.', '/').equals(type);
	}

	/** Whether it is in this method, where the method begins or where it returns. */
	boolean isIn(String type, String method, boolean atEnd) {
		return isOf(type) && this.method.equals(method) && this.atEnd == atEnd;
	}

}
