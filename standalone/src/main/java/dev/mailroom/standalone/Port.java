package dev.mailroom.standalone;

/**
 * The ports on which Mailroom listens, each with the environment variable that configures
 * it.
 */
enum Port {

	API("MAILROOM_API_PORT"), ADMIN("MAILROOM_ADMIN_PORT"), MANAGEMENT("MAILROOM_MANAGEMENT_PORT"),
	CATCHER("MAILROOM_CATCHER_PORT"), MAILBOX("MAILROOM_MAILBOX_PORT"), POSTGRES("MAILROOM_PG_PORT"),
	KAFKA("MAILROOM_KAFKA_PORT"), INBOUND("MAILROOM_INBOUND_PORT"), SUBMISSION("MAILROOM_SUBMISSION_PORT"),

	/** The listener of the KRaft controller, internal to the broker and always random. */
	CONTROLLER("(none)");

	private final String variable;

	Port(String variable) {
		this.variable = variable;
	}

	String variable() {
		return this.variable;
	}

}
