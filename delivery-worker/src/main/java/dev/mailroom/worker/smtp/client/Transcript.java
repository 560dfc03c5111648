package dev.mailroom.worker.smtp.client;

import java.net.InetAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

import dev.mailroom.mail.outcome.Attempts;
import dev.mailroom.mail.outcome.Settlement;
import org.jspecify.annotations.Nullable;

/**
 * Record of a session for support: commands, replies and notes, each with the
 * milliseconds since the beginning. Its length is limited.
 */
final class Transcript {

	private static final int MAX_LENGTH = 8000;

	private static final int MAX_LINE_LENGTH = 600;

	private final Clock clock;

	private final Instant began;

	private final long start = System.nanoTime();

	private final StringBuilder text = new StringBuilder();

	private String host = "";

	private String address = "";

	private String tls = "";

	private @Nullable String source;

	private @Nullable InetAddress local;

	private @Nullable String policy;

	/** Begins an empty transcript now. */
	public Transcript(Clock clock) {
		this.clock = clock;
		this.began = clock.instant();
	}

	/** Begins the transcript of the session's next mail. */
	public synchronized Transcript next(int mail) {
		Transcript next = new Transcript(this.clock);
		next.host = this.host;
		next.address = this.address;
		next.tls = this.tls;
		next.source = this.source;
		next.note("mail " + mail + " of this session");
		if (this.policy != null) {
			next.policy(this.policy);
		}
		return next;
	}

	/** Records the server that is contacted next. */
	public synchronized void at(String host, String address) {
		this.host = host;
		this.address = address;
		this.tls = "";
		note("to " + host + " [" + address + "]");
	}

	/** Records the local address that is used. */
	synchronized void from(String source) {
		this.source = source;
		note("from " + source);
	}

	/** Records the own end of the connection. */
	synchronized void connected(InetAddress local) {
		this.local = local;
	}

	/** Own address of the last connection; null before one. */
	synchronized @Nullable InetAddress local() {
		return this.local;
	}

	/**
	 * Records the policy about TLS that applies and its result, as the names of
	 * {@code mailroom_tls_policy_total}.
	 */
	synchronized void policy(String policy, String result) {
		policy(policy + " " + result);
	}

	private synchronized void policy(String text) {
		this.policy = text;
		note(Attempts.TLS_POLICY + text);
	}

	/** Records TLS version and cipher. */
	public synchronized void secured(String tls) {
		this.tls = tls;
	}

	/** Records a line of the client. Secrets must be left out by the caller. */
	public void sent(String line) {
		add("C: ", line);
	}

	/** Records a reply of the server. */
	public void received(String reply) {
		add("S: ", reply);
	}

	/** Records an event that neither side sent, such as a lost connection. */
	public void note(String event) {
		add("", event);
	}

	private synchronized void add(String prefix, String content) {
		String line = content.strip();
		int length = Math.min(line.length(), MAX_LINE_LENGTH);
		if (this.text.length() + length >= MAX_LENGTH) {
			return;
		}
		this.text.append((System.nanoTime() - this.start) / 1_000_000).append(' ').append(prefix);
		for (int i = 0; i < length; i++) {
			char character = line.charAt(i);
			this.text.append(Character.isISOControl(character) ? ' ' : character);
		}
		this.text.append('\n');
	}

	/** Attempt with the transcript so far. */
	public synchronized Settlement.Attempt attempt(String transport) {
		return new Settlement.Attempt(this.began, Duration.ofNanos(System.nanoTime() - this.start), transport,
				this.host, this.address, this.tls, this.text.toString(), this.source);
	}

}
