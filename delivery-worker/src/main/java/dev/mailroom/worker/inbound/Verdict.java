package dev.mailroom.worker.inbound;

import java.util.Collection;

/** What a check of a mail came to. */
enum Verdict {

	/** It holds. */
	PASS,

	/** It does not. */
	FAIL,

	/** Nothing is proven either way. */
	GRAY,

	/** The check itself broke. */
	PROCESSING_FAILED,

	/** Nobody looked. */
	DISABLED;

	/** Whether one of several is this. */
	boolean in(Collection<Verdict> verdicts) {
		return verdicts.contains(this);
	}

}
