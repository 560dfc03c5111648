package dev.mailroom.spring.test;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The mail that a test waits for.
 *
 * @param to a recipient
 * @param subject a part of the subject, without regard to case; null for any
 * @param since the time from which on the mail was received; null for any
 * @param timeout the time to wait
 */
public record MailQuery(String to, @Nullable String subject, @Nullable Instant since, Duration timeout) {

	private static final Duration USUAL = Duration.ofSeconds(30);

	/** A mail to this recipient, for which the test waits up to 30 s. */
	public static MailQuery to(String recipient) {
		return new MailQuery(recipient, null, null, USUAL);
	}

	/** The same with a part of the subject. */
	public MailQuery subject(String subject) {
		return new MailQuery(this.to, subject, this.since, this.timeout);
	}

	/** The same, received from a time on. */
	public MailQuery since(Instant since) {
		return new MailQuery(this.to, this.subject, since, this.timeout);
	}

	/** The same with another limit. */
	public MailQuery timeout(Duration timeout) {
		return new MailQuery(this.to, this.subject, this.since, timeout);
	}

}
