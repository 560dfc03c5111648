package dev.mailroom.standalone.demo;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Clock;

/**
 * Creates the demo account: a small press that has sent mail and campaigns for a month.
 * Everything is done by the interfaces that tenants use, with mail that is accepted, sent
 * to the mailbox and refused there; then the times are moved into the past.
 */
public final class Demo {

	/** Address of the demo account. */
	public static final String EMAIL = "demo@" + Letters.DOMAIN;

	private final DemoTarget target;

	private final Clock clock;

	/** Creates a demo that is not filled yet. */
	public Demo(DemoTarget target, Clock clock) {
		this.target = target;
		this.clock = clock;
	}

	/**
	 * Creates and fills the account.
	 * @throws IOException if a request is refused, such as when the account exists
	 */
	public void fill(String password) throws IOException, InterruptedException, SQLException {
		try (Rest api = new Rest(this.target.api());
				Rest admin = new Rest(this.target.admin());
				Rest mailbox = new Rest(this.target.mailbox())) {
			DemoOperator operator = DemoOperator.signIn(admin, this.target.operator());
			DemoAccount account = DemoAccount.create(this.target, operator, api, mailbox, password);
			try (History history = new History(this.target.database(), account.id())) {
				Newsletters newsletters = new Newsletters(account, history, this.clock.instant());
				ParallelSteps.run(account::setUp, newsletters::fillBooks, operator::hold,
						() -> operator.suspendAnother(api));
				fill(account, newsletters, history);
			}
		}
	}

	private void fill(DemoAccount account, Newsletters newsletters, History history)
			throws IOException, InterruptedException, SQLException {
		Mailings mailings = new Mailings(account, history, this.target.sandbox(), this.clock.instant());
		newsletters.startUnfinished();
		newsletters.startFinished();
		ParallelSteps.run(() -> mailings.send(newsletters), () -> InboundMails.send(this.target.inbound()));
		newsletters.awaitPaused();
		newsletters.awaitFinished();
		history.awaitSettled();
		history.awaitHandedOver();
		try (DemoRecipients recipients = new DemoRecipients(this.target, history)) {
			recipients.react();
		}
		history.awaitCalls();
		history.moveIntoThePast();
		newsletters.resume();
	}

}
