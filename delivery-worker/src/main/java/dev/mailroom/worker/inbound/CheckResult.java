package dev.mailroom.worker.inbound;

/** What a check of a mail came to. */
enum CheckResult {

	/** It holds. */
	PASS,

	/** It does not. */
	FAIL,

	/** Nothing is proven either way. */
	GRAY,

	/** The check itself broke. */
	PROCESSING_FAILED,

	/** Nobody looked. */
	DISABLED

}
