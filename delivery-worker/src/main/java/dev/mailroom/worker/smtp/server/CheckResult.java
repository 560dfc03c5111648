package dev.mailroom.worker.smtp.server;

/** Result of one check of a received mail. */
enum CheckResult {

	/** The check succeeded: proven, or nothing was found. */
	PASS,

	/** The check failed: disproven, or spam or a virus was found. */
	FAIL,

	/** The check has no clear result. */
	GRAY,

	/** The check could not be carried out. */
	PROCESSING_FAILED,

	/** No scanner is configured. */
	DISABLED

}
