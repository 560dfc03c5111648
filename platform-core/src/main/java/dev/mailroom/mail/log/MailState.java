package dev.mailroom.mail.log;

/** State of a mail as it is shown: its status, and for some its latest event. */
public enum MailState {

	SCHEDULED("pending"), QUEUED("pending"), DEFERRED("pending"), SENT("sent"), DELIVERED("delivered"),
	BOUNCED("bounced"), COMPLAINED("complained"), FAILED("failed"), SUPPRESSED("failed"), CANCELLED("failed");

	private final String status;

	MailState(String status) {
		this.status = status;
	}

	/** The status of its mails. */
	String status() {
		return this.status;
	}

}
