package dev.mailroom.spring.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The mails that a test has sent. */
public final class Outbox {

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	private final List<TestMail> mails = new ArrayList<>();

	Outbox() {
	}

	synchronized void add(TestMail mail) {
		this.mails.add(mail);
		notifyAll();
	}

	/** Returns all mails, the oldest first. */
	public synchronized List<TestMail> mails() {
		return List.copyOf(this.mails);
	}

	/** Removes all mails. */
	public synchronized void clear() {
		this.mails.clear();
	}

	/** Waits up to 10 s for a mail to this recipient, and returns the newest one. */
	public TestMail waitFor(String recipient) {
		return waitFor(recipient, TIMEOUT);
	}

	/**
	 * Waits for a mail to this recipient, and returns the newest one.
	 * @throws AssertionError if none is sent in this time
	 */
	public synchronized TestMail waitFor(String recipient, Duration limit) {
		long deadline = System.nanoTime() + limit.toNanos();
		while (true) {
			for (int i = this.mails.size() - 1; i >= 0; i--) {
				if (this.mails.get(i).recipients().stream().anyMatch(recipient::equalsIgnoreCase)) {
					return this.mails.get(i);
				}
			}
			long left = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
			if (left <= 0) {
				throw new AssertionError("No mail was sent to " + recipient + ", but to "
						+ this.mails.stream().map(TestMail::recipients).toList());
			}
			try {
				wait(left);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new AssertionError("The thread was interrupted", ex);
			}
		}
	}

}
