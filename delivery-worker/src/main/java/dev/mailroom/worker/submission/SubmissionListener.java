package dev.mailroom.worker.submission;

import dev.mailroom.worker.smtpd.SmtpLimits;
import dev.mailroom.worker.smtpd.SmtpServer;
import dev.mailroom.worker.smtpd.SmtpTerms;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Lets in the clients that send with an API key, where this worker is to. */
@Component
class SubmissionListener implements SmartLifecycle {

	private static final Logger log = LoggerFactory.getLogger(SubmissionListener.class);

	/** As much as a request to POST /emails may have. */
	private static final int MOST_BYTES = 25 * 1024 * 1024;

	private static final int MOST_RECIPIENTS = 50;

	private final SubmissionSettings settings;

	private final SmtpServer server;

	private volatile boolean running;

	/**
	 * A listener that does not listen yet.
	 * @param host on which the whole worker listens
	 * @param name the server's
	 */
	SubmissionListener(SubmissionSettings settings, SubmissionHandler handler, @Value("${server.address:}") String host,
			@Value("${mailroom.relay.helo}") String name) {
		this.settings = settings;
		SmtpLimits usual = SmtpLimits.usual();
		SmtpLimits limits = new SmtpLimits(usual.connections(), usual.connectionsEach(), settings.bytes(),
				usual.command(), usual.block(), usual.mail(), usual.answer(), usual.drain());
		this.server = new SmtpServer(new SmtpTerms(host, settings.port(), name, settings.tls(), settings.inClear(),
				MOST_BYTES, MOST_RECIPIENTS, limits), handler);
	}

	/** Where it listens. */
	int port() {
		return this.server.port();
	}

	@Override
	public void start() {
		if (this.settings.listens()) {
			this.server.start();
			log.info("Mail to be sent comes in at port {}", this.server.port());
		}
		this.running = true;
	}

	@Override
	public void stop() {
		this.server.close();
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

}
