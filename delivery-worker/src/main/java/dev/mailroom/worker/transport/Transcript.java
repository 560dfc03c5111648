package dev.mailroom.worker.transport;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

import dev.mailroom.outcome.Attempt;
import io.netty.handler.codec.smtp.SmtpContent;
import io.netty.handler.codec.smtp.SmtpRequest;

/**
 * What was said and when, for support: bounded, and without what signs us in. Only
 * commands known to hold no secret are written down in full.
 */
final class Transcript {

	private static final int MOST = 8000;

	private static final int LONGEST_LINE = 600;

	private static final Set<String> OPEN = Set.of("EHLO", "HELO", "STARTTLS", "MAIL", "RCPT", "DATA", "RSET", "QUIT");

	private final Clock clock;

	private final Instant began;

	private final long start = System.nanoTime();

	private final StringBuilder text = new StringBuilder();

	private String host = "";

	private String address = "";

	private String tls = "";

	Transcript(Clock clock) {
		this.clock = clock;
		this.began = clock.instant();
	}

	/** That of the next mail of the session. */
	synchronized Transcript next(int mail) {
		Transcript next = new Transcript(this.clock);
		next.host = this.host;
		next.address = this.address;
		next.tls = this.tls;
		next.note("mail " + mail + " of this session");
		return next;
	}

	/** Who is spoken to from now on. */
	synchronized void at(String host, String address) {
		this.host = host;
		this.address = address;
		this.tls = "";
		note("to " + host + " [" + address + "]");
	}

	/** By which version and cipher it is kept from others. */
	synchronized void secured(String tls) {
		this.tls = tls;
	}

	void said(Object message) {
		if (message instanceof SmtpRequest request) {
			String verb = request.command().name().toString();
			add("C: ", OPEN.contains(verb) ? verb + " " + String.join(" ", request.parameters())
					: verb.equals("AUTH") ? "AUTH (not shown)" : "(not shown)");
		}
		else if (message instanceof SmtpContent content) {
			add("C: ", "(the message, " + content.content().readableBytes() + " bytes)");
		}
	}

	void heard(Reply reply) {
		add("S: ", reply.text());
	}

	/** What neither side said, such as that the connection was lost. */
	void note(String what) {
		add("", what);
	}

	private synchronized void add(String who, String what) {
		String line = (what.length() > LONGEST_LINE) ? what.substring(0, LONGEST_LINE) : what;
		if (this.text.length() + line.length() < MOST) {
			this.text.append((System.nanoTime() - this.start) / 1_000_000).append(' ').append(who);
			line.strip()
				.codePoints()
				.map((one) -> Character.isISOControl(one) ? ' ' : one)
				.forEach(this.text::appendCodePoint);
			this.text.append('\n');
		}
	}

	/** All of it so far. */
	synchronized Attempt attempt(String transport) {
		return new Attempt(this.began, Duration.ofNanos(System.nanoTime() - this.start), transport, this.host,
				this.address, this.tls, this.text.toString());
	}

}
