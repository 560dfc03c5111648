package dev.mailroom.worker.smtp.server;

import dev.mailroom.worker.smtp.server.SmtpServerOptions.SmtpLimits;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** SMTP listener for inbound mail. */
@Component
class InboundListener extends ListeningServer {

	private static final int MAX_BYTES = 25 * 1024 * 1024;

	private static final int MAX_RECIPIENTS = 100;

	/**
	 * Creates the listener.
	 * @param host address on which the worker listens
	 * @param name the server's name, as in the domains' MX records
	 */
	InboundListener(InboundSettings settings, SmtpProxies proxies, InboundHandler handler,
			@Value("${server.address:}") String host, @Value("${mailroom.mx-host}") String name) {
		super(new SmtpServerOptions(host, settings.port(), name, settings.tls(), false, MAX_BYTES, MAX_RECIPIENTS,
				SmtpLimits.usual()), handler, "inbound", "Inbound mail", proxies.networks());
	}

}
