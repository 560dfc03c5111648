package dev.mailroom.observability;

import java.util.UUID;

import dev.mailroom.mail.queue.HandOver;
import dev.mailroom.mail.queue.Lease;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * The ids of a mail for log entries.
 *
 * @param account null if unknown
 * @param email null if unknown
 * @param trace the trace id of the request that sent the mail; null unless it was sampled
 */
public record LoggedMail(UUID delivery, @Nullable UUID account, @Nullable UUID email, @Nullable String trace) {

	/** The key of the delivery's id in log entries. */
	public static final String DELIVERY = "delivery_id";

	/** The key of the account's id in log entries. */
	public static final String ACCOUNT = "account_id";

	/** The key of the mail's id in log entries. */
	public static final String EMAIL = "email_id";

	/** The ids of a delivery that is handed over. */
	public static LoggedMail of(HandOver handOver) {
		return new LoggedMail(handOver.lease().delivery(), handOver.accountId(), handOver.emailId(),
				(handOver.trace() != null) ? handOver.trace().traceId() : null);
	}

	/** The ids of a leased delivery, whose mail was not read. */
	public static LoggedMail of(Lease lease) {
		boolean routed = !lease.route().domain().isEmpty();
		return new LoggedMail(lease.delivery(), routed ? lease.route().accountId() : null, null, null);
	}

	/** Adds the ids to the entries of this thread until the scope is closed. */
	public Scope open() {
		MDC.put(DELIVERY, this.delivery.toString());
		put(ACCOUNT, this.account);
		put(EMAIL, this.email);
		put(LoggedRequest.TRACE, this.trace);
		return () -> {
			MDC.remove(DELIVERY);
			MDC.remove(ACCOUNT);
			MDC.remove(EMAIL);
			MDC.remove(LoggedRequest.TRACE);
		};
	}

	private static void put(String key, @Nullable Object value) {
		if (value != null) {
			MDC.put(key, value.toString());
		}
	}

	/** The time during which entries have the ids. */
	public interface Scope extends AutoCloseable {

		/** Removes the ids. */
		@Override
		void close();

	}

}
