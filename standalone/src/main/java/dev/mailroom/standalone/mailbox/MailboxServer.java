package dev.mailroom.standalone.mailbox;

import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Function;

import dev.mailroom.worker.smtp.server.SmtpHandler;
import dev.mailroom.worker.smtp.server.SmtpReply;
import dev.mailroom.worker.smtp.server.SmtpServer;
import dev.mailroom.worker.smtp.server.SmtpServerOptions;
import dev.mailroom.worker.smtp.server.SmtpServerOptions.SmtpLimits;
import reactor.core.publisher.Mono;

/**
 * SMTP server that accepts mail for every recipient, and a page that shows it. Messages
 * are kept in memory until the mailbox is closed.
 */
public final class MailboxServer implements AutoCloseable {

	private static final int MAX_MESSAGES = 1000;

	private static final long MAX_BYTES = 64L * 1024 * 1024;

	/** Accepts the mail of a 25 MB request, whose text grows by its encoding. */
	private static final int MAX_MESSAGE_BYTES = 36 * 1024 * 1024;

	private static final int MAX_RECIPIENTS = 100;

	private static final SmtpReply ACCEPTED = new SmtpReply(250, "2.6.0", "Accepted");

	private final SmtpServer server;

	private final MailboxPage page;

	/**
	 * Creates a mailbox on the loopback address; a port of 0 picks a free one.
	 * @param smtpPort port of the SMTP server
	 * @param pagePort port of the page
	 * @param firstTry command shown on the page while it is empty
	 * @param refusals whether recipients at some domains are refused
	 */
	public MailboxServer(int smtpPort, int pagePort, String firstTry, boolean refusals) {
		Messages messages = new Messages(MAX_MESSAGES, MAX_BYTES);
		Clock clock = Clock.systemUTC();
		SmtpHandler accepting = (mail) -> Mono.fromSupplier(() -> {
			messages.add(MessageReader.read(mail, clock.instant().truncatedTo(ChronoUnit.MILLIS)));
			return ACCEPTED;
		});
		SmtpHandler handler = refusals ? new RefusingHandler(accepting) : accepting;
		this.server = new SmtpServer(new SmtpServerOptions("127.0.0.1", smtpPort, "mailroom", null, false,
				MAX_MESSAGE_BYTES, MAX_RECIPIENTS, SmtpLimits.usual().forOneClient()), handler);
		this.page = new MailboxPage(pagePort, messages, firstTry, clock);
	}

	/**
	 * Verifies webhook calls from now on.
	 * @param secrets gives the secrets that sign calls to an address
	 */
	public void verifyWith(Function<String, Mono<List<String>>> secrets) {
		this.page.verifyWith(secrets);
	}

	/** Starts both servers; returns when they are bound. */
	public void start() {
		this.server.start();
		this.page.start();
	}

	/** Port of the SMTP server. */
	public int smtpPort() {
		return this.server.port();
	}

	/** Port of the page. */
	public int pagePort() {
		return this.page.port();
	}

	@Override
	public void close() {
		this.server.close();
		this.page.close();
	}

}
