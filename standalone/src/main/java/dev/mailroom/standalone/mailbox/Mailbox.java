package dev.mailroom.standalone.mailbox;

import java.time.Clock;
import java.time.temporal.ChronoUnit;

import dev.mailroom.worker.smtpd.SmtpHandler;
import dev.mailroom.worker.smtpd.SmtpLimits;
import dev.mailroom.worker.smtpd.SmtpReply;
import dev.mailroom.worker.smtpd.SmtpServer;
import dev.mailroom.worker.smtpd.SmtpServerOptions;
import reactor.core.publisher.Mono;

/**
 * A mailbox for everybody: catches what is sent over SMTP, whoever it is for, and shows
 * it on a page. What it holds is gone when it closes.
 */
public final class Mailbox implements AutoCloseable {

	private static final int MOST_MESSAGES = 1000;

	private static final long MOST_BYTES = 64L * 1024 * 1024;

	/** A request of 25 MB fits, also where 8-bit text grows on its way. */
	private static final int MOST_BYTES_EACH = 36 * 1024 * 1024;

	private static final int MOST_RECIPIENTS = 100;

	private static final SmtpReply TAKEN = new SmtpReply(250, "2.6.0", "Taken");

	private final SmtpServer catcher;

	private final MailboxPage page;

	/**
	 * A mailbox on the loopback address; a port of 0 means any.
	 * @param smtpPort where mail comes in
	 * @param pagePort where it is shown
	 * @param firstTry what the page tells people to try while it is empty
	 */
	public Mailbox(int smtpPort, int pagePort, String firstTry) {
		Messages messages = new Messages(MOST_MESSAGES, MOST_BYTES);
		Clock clock = Clock.systemUTC();
		SmtpHandler keep = (mail) -> Mono.fromSupplier(() -> {
			messages.add(MessageReader.read(mail, clock.instant().truncatedTo(ChronoUnit.MILLIS)));
			return TAKEN;
		});
		this.catcher = new SmtpServer(new SmtpServerOptions("127.0.0.1", smtpPort, "mailroom", null, false,
				MOST_BYTES_EACH, MOST_RECIPIENTS, SmtpLimits.usual().forOneClient()), keep);
		this.page = new MailboxPage(pagePort, messages, firstTry);
	}

	/** Returns once both ports answer. */
	public void start() {
		this.catcher.start();
		this.page.start();
	}

	/** The port where mail comes in. */
	public int smtpPort() {
		return this.catcher.port();
	}

	/** The port where it is shown. */
	public int pagePort() {
		return this.page.port();
	}

	@Override
	public void close() {
		this.catcher.close();
		this.page.close();
	}

}
