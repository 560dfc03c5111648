package dev.mailroom.worker.inbound;

import dev.mailroom.worker.smtpd.SmtpLimits;
import dev.mailroom.worker.smtpd.SmtpServer;
import dev.mailroom.worker.smtpd.SmtpTerms;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Lets in the servers that bring mail, where this worker is to. */
@Component
class InboundListener implements SmartLifecycle {

	private static final Logger log = LoggerFactory.getLogger(InboundListener.class);

	private static final int MOST_BYTES = 25 * 1024 * 1024;

	private static final int MOST_RECIPIENTS = 100;

	private final InboundSettings settings;

	private final SmtpServer server;

	private volatile boolean running;

	/**
	 * A listener that does not listen yet.
	 * @param host on which the whole worker listens
	 * @param name the server's, as the domains' MX records have it
	 */
	InboundListener(InboundSettings settings, InboundHandler handler, @Value("${server.address:}") String host,
			@Value("${mailroom.mx-host}") String name) {
		this.settings = settings;
		this.server = new SmtpServer(new SmtpTerms(host, settings.port(), name, settings.tls(), false, MOST_BYTES,
				MOST_RECIPIENTS, SmtpLimits.usual()), handler);
	}

	/** Where it listens. */
	int port() {
		return this.server.port();
	}

	@Override
	public void start() {
		if (this.settings.listens()) {
			this.server.start();
			log.info("Mail comes in at port {}", this.server.port());
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
