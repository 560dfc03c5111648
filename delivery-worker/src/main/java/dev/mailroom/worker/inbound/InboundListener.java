package dev.mailroom.worker.inbound;

import dev.mailroom.worker.smtpd.ListeningServer;
import dev.mailroom.worker.smtpd.SmtpLimits;
import dev.mailroom.worker.smtpd.SmtpServerOptions;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** Lets in the servers that bring mail, where this worker is to. */
@Component
class InboundListener extends ListeningServer {

	private static final int MOST_BYTES = 25 * 1024 * 1024;

	private static final int MOST_RECIPIENTS = 100;

	/**
	 * A listener that does not listen yet.
	 * @param host on which the whole worker listens
	 * @param name the server's, as the domains' MX records have it
	 */
	InboundListener(InboundSettings settings, InboundHandler handler, @Value("${server.address:}") String host,
			@Value("${mailroom.mx-host}") String name) {
		super(new SmtpServerOptions(host, settings.port(), name, settings.tls(), false, MOST_BYTES, MOST_RECIPIENTS,
				SmtpLimits.usual()), handler, "Mail");
	}

}
