package dev.mailroom.observability;

import java.time.Duration;
import java.util.stream.Stream;

/** Upper bounds of histogram buckets. They include the limits of the objectives. */
public final class Buckets {

	/** For work of milliseconds: commits, composing, signing, DNS. */
	public static final Duration[] QUICK = of("PT0.0005S", "PT0.001S", "PT0.0025S", "PT0.005S", "PT0.01S", "PT0.025S",
			"PT0.05S", "PT0.1S", "PT0.25S", "PT1S", "PT5S");

	/** For phases of SMTP; few, because they are multiplied by the providers. */
	public static final Duration[] PHASE = of("PT0.01S", "PT0.1S", "PT0.5S", "PT2S", "PT10S", "PT1M");

	/** For HTTP requests that send mail, which have an objective of 250 ms. */
	static final Duration[] SEND = of("PT0.025S", "PT0.05S", "PT0.1S", "PT0.25S", "PT0.5S", "PT1S", "PT2.5S", "PT5S",
			"PT10S");

	/** For other HTTP requests; few of those above, because there are many routes. */
	static final Duration[] REQUEST = of("PT0.1S", "PT0.25S", "PT1S", "PT5S");

	/** For work that waits for other servers or in the queue. */
	public static final Duration[] SLOW = of("PT0.1S", "PT0.25S", "PT0.5S", "PT1S", "PT2S", "PT5S", "PT15S", "PT30S",
			"PT1M", "PT5M", "PT15M", "PT1H", "PT4H");

	private Buckets() {
	}

	private static Duration[] of(String... bounds) {
		return Stream.of(bounds).map(Duration::parse).toArray(Duration[]::new);
	}

}
