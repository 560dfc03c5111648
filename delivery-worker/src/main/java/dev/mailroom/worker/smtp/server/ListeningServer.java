package dev.mailroom.worker.smtp.server;

import java.util.List;

import dev.mailroom.Bounded;
import dev.mailroom.account.Networks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

/** SMTP server that starts and stops with the application context. */
public class ListeningServer implements Bounded, SmartLifecycle {

	private static final Logger log = LoggerFactory.getLogger(ListeningServer.class);

	private final SmtpServer server;

	private final boolean enabled;

	private final String name;

	private final String description;

	private volatile boolean running;

	/**
	 * Creates a server that is not started.
	 * @param options options; a negative port turns the server off
	 * @param name name of the listener in metrics
	 * @param description what the server receives, for the log
	 * @param proxies whose connections begin with the PROXY protocol
	 */
	protected ListeningServer(SmtpServerOptions options, SmtpHandler handler, String name, String description,
			Networks proxies) {
		this.server = new SmtpServer(options, handler, proxies);
		this.enabled = options.port() >= 0;
		this.name = name;
		this.description = description;
	}

	@Override
	public List<Limit> limits() {
		return this.enabled ? this.server.limits(this.name) : List.of();
	}

	/** Port of the listener. */
	public int port() {
		return this.server.port();
	}

	@Override
	public void start() {
		if (this.enabled) {
			this.server.start();
			log.info("{} is accepted on port {}", this.description, port());
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
