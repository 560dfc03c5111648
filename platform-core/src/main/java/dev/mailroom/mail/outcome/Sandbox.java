package dev.mailroom.mail.outcome;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;

import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.mail.draft.SandboxHost;
import dev.mailroom.tracking.Engagements;
import dev.mailroom.tracking.TrackingToken;
import dev.mailroom.tracking.Visitor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * The sandbox: a domain whose addresses have fixed outcomes. Mail to them is processed
 * and reported like any other, but not sent; it does not affect reputations or the
 * suppression list.
 */
@Component
public class Sandbox {

	private static final Logger log = LoggerFactory.getLogger(Sandbox.class);

	/** Maximum number of reactions that wait; further ones are dropped. */
	private static final int MAX_WAITING = 20_000;

	/** Reactions in a transaction. */
	private static final int MAX_BATCH = 100;

	private static final int MAX_RETRIES = 2;

	private final Engagements engagements;

	private final JdbcTransactions transactions;

	private final BlockingQueue<SettledDelivery> waiting = new LinkedBlockingQueue<>(MAX_WAITING);

	private final SandboxHost host;

	Sandbox(Engagements engagements, JdbcTransactions transactions, SandboxHost host) {
		this.engagements = engagements;
		this.transactions = transactions;
		this.host = host;
	}

	/** The domain of the sandbox. */
	public String host() {
		return this.host.name();
	}

	/** The local part without its label, which selects the outcome. */
	public static String localPart(String recipient) {
		String local = recipient.substring(0, Math.max(0, recipient.lastIndexOf('@'))).toLowerCase(Locale.ROOT);
		int label = local.indexOf('+');
		return (label >= 0) ? local.substring(0, label) : local;
	}

	/** Complaints of sandbox recipients about the mail just delivered to them. */
	List<FeedbackReport> complaints(List<SettledDelivery> settled) {
		return delivered(settled).filter((delivery) -> localPart(delivery.recipient()).equals("complained"))
			.map((delivery) -> new FeedbackReport(delivery.accountId(), delivery.id(),
					new DeliveryReport.Complained("abuse")))
			.toList();
	}

	/**
	 * Queues the opens and clicks of sandbox recipients, which delay no settlement.
	 */
	void queueReactions(List<SettledDelivery> settled) {
		long dropped = delivered(settled).filter((delivery) -> !reaction(delivery).isEmpty())
			.filter((delivery) -> !this.waiting.offer(delivery))
			.count();
		if (dropped > 0) {
			log.warn("{} mails of the sandbox are not opened or clicked, because too many wait", dropped);
		}
	}

	/**
	 * Records the queued opens and clicks, many in one transaction. Those of a
	 * transaction that fails are dropped.
	 */
	public void recordReactions() {
		List<SettledDelivery> batch = new ArrayList<>();
		while (this.waiting.drainTo(batch, MAX_BATCH) > 0) {
			record(batch);
			batch.clear();
		}
	}

	/** In the order of the mails, as settlements lock them. */
	private void record(List<SettledDelivery> batch) {
		batch.sort(Comparator.comparing((delivery) -> delivery.emailId().toString()));
		for (int retries = 0;; retries++) {
			try {
				this.transactions.runAcrossAccounts((jdbc) -> batch.forEach((delivery) -> record(jdbc, delivery)));
				return;
			}
			catch (RuntimeException ex) {
				if (retries == MAX_RETRIES) {
					log.warn("{} mails of the sandbox were not opened or clicked: {}", batch.size(), ex.toString());
					return;
				}
			}
		}
	}

	private Stream<SettledDelivery> delivered(List<SettledDelivery> settled) {
		return settled.stream()
			.filter((delivery) -> delivery.result() == DeliveryResult.DELIVERED && contains(delivery.recipient()));
	}

	/** Reactions of the recipient; empty if it has none. */
	private static String reaction(SettledDelivery delivery) {
		String local = localPart(delivery.recipient());
		return (local.equals("opened") || local.equals("clicked")) ? local : "";
	}

	private void record(JdbcClient jdbc, SettledDelivery delivery) {
		this.engagements.recordOpen(jdbc, new TrackingToken.Open(delivery.accountId(), delivery.id()), Visitor.SANDBOX);
		if (reaction(delivery).equals("clicked")) {
			this.engagements.recordClick(jdbc,
					new TrackingToken.Click(delivery.accountId(), delivery.id(), new UUID(0, 0)),
					"https://" + this.host.name() + "/", Visitor.SANDBOX);
		}
	}

	/** Whether a recipient belongs to the sandbox. */
	boolean contains(String recipient) {
		return this.host.contains(recipient);
	}

}
