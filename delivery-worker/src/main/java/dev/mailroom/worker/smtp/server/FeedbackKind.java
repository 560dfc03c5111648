package dev.mailroom.worker.smtp.server;

/** Classification of a mail to a feedback address. */
public enum FeedbackKind {

	/** A report about a delivery of this platform; it was applied. */
	APPLIED,

	/** A report without a statement, or about an unknown delivery. */
	UNMATCHED,

	/** Not a report; possibly written by a person. */
	NOT_A_REPORT

}
