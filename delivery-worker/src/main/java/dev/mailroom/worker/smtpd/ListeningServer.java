package dev.mailroom.worker.smtpd;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

/**
 * A server that listens as long as its worker runs, where the worker is to listen at all.
 */
public class ListeningServer implements SmartLifecycle {

	private static final Logger log = LoggerFactory.getLogger(ListeningServer.class);

	private final SmtpServer server;

	private final boolean listens;

	private final String what;

	private volatile boolean running;

	/**
	 * A listener that does not listen yet.
	 * @param terms its own; a port below 0 is none
	 * @param what comes in there, as the log says it
	 */
	protected ListeningServer(SmtpServerOptions terms, SmtpHandler handler, String what) {
		this.server = new SmtpServer(terms, handler);
		this.listens = terms.port() >= 0;
		this.what = what;
	}

	/** Where it listens. */
	public int port() {
		return this.server.port();
	}

	@Override
	public void start() {
		if (this.listens) {
			this.server.start();
			log.info("{} comes in at port {}", this.what, port());
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
