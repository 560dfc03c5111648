package dev.mailroom.worker.feedback;

/** What a mail turned out to be that came to where mail comes back. */
public enum FeedbackKind {

	/** A report, of a delivery of ours. */
	NEWS,

	/** A report that tells nothing, or of nothing of ours. */
	NOTHING,

	/** No report at all: somebody may have written it. */
	LETTER

}
