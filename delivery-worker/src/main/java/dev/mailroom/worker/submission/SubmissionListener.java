package dev.mailroom.worker.submission;

import dev.mailroom.worker.smtpd.ListeningServer;
import dev.mailroom.worker.smtpd.SmtpLimits;
import dev.mailroom.worker.smtpd.SmtpServerOptions;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** Lets in the clients that send with an API key, where this worker is to. */
@Component
class SubmissionListener extends ListeningServer {

	/** As much as a request to POST /emails may have. */
	private static final int MOST_BYTES = 25 * 1024 * 1024;

	private static final int MOST_RECIPIENTS = 50;

	/**
	 * A listener that does not listen yet.
	 * @param host on which the whole worker listens
	 * @param name the server's
	 */
	SubmissionListener(SubmissionSettings settings, SubmissionHandler handler, @Value("${server.address:}") String host,
			@Value("${mailroom.relay.helo}") String name) {
		super(new SmtpServerOptions(host, settings.port(), name, settings.tls(), settings.inClear(), MOST_BYTES,
				MOST_RECIPIENTS, limits(settings.bytes())), handler, "Mail to be sent");
	}

	private static SmtpLimits limits(long bytes) {
		SmtpLimits usual = SmtpLimits.usual();
		return new SmtpLimits(usual.connections(), usual.connectionsEach(), bytes, usual.command(), usual.block(),
				usual.mail(), usual.answer(), usual.drain());
	}

}
