package dev.mailroom.upkeep;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;

import dev.mailroom.account.NoticeKind;
import dev.mailroom.brand.Letter;
import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.upkeep.OccasionStore.ExpiringKey;
import dev.mailroom.upkeep.OccasionStore.Occasion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Service;

/**
 * Mails members about domains that lost their records, quotas, campaigns, tracking
 * domains and API keys that expire. The names of the mails keep two workers, or two runs
 * that see the same event, from sending one twice.
 */
@Service
public class EventNotices {

	private static final Logger log = LoggerFactory.getLogger(EventNotices.class);

	/**
	 * Age of the oldest event that the first run reads, as workers may have been down.
	 */
	private static final Duration FIRST = Duration.ofMinutes(15);

	/** Span that two runs share: transactions may commit later than they record. */
	private static final Duration OVERLAP = Duration.ofMinutes(2);

	private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("d MMMM yyyy, HH:mm z", Locale.ENGLISH);

	private final DomainNotices domains;

	private final OccasionStore store;

	private final MemberNotices notices;

	private final JdbcTransactions transactions;

	private final Clock clock;

	private volatile Instant readFrom;

	EventNotices(DomainNotices domains, OccasionStore store, MemberNotices notices, JdbcTransactions transactions,
			Clock clock) {
		this.domains = domains;
		this.store = store;
		this.notices = notices;
		this.transactions = transactions;
		this.clock = clock;
		this.readFrom = clock.instant().minus(FIRST);
	}

	/**
	 * Sends the notices that are due.
	 * @return number of events of which members were told
	 */
	public long send() {
		long count = this.domains.send();
		Instant began = this.clock.instant();
		Instant from = this.readFrom;
		for (Occasion occasion : this.transactions.acrossAccounts((jdbc) -> this.store.occasions(jdbc, from))) {
			count += send(occasion);
		}
		for (ExpiringKey key : this.transactions.acrossAccounts(this.store::expiringKeys)) {
			count += send(key);
		}
		this.readFrom = began.minus(OVERLAP);
		return count;
	}

	private long send(Occasion occasion) {
		return attempt(occasion.id(), () -> {
			Map<String, Object> data = occasion.data();
			switch (occasion.kind()) {
				case "quota.warning", "quota.reached" -> quota(occasion, data);
				case "campaign.sent" -> this.notices.send(occasion.accountId(), NoticeKind.CAMPAIGN_SENT,
						"campaign " + data.get("id"),
						Letter.of("Campaign “" + data.get("name") + "” was sent", "The campaign “" + data.get("name")
								+ "” was sent to " + data.get("sent_count") + " of " + data.get("total_contacts")
								+ " people; the others were skipped. Opens, clicks and bounces continue to arrive."),
						"/campaigns/" + data.get("id"));
				default -> this.notices.send(occasion.accountId(), NoticeKind.TRACKING_DOMAIN_FAILED,
						"tracking " + data.get("id") + " " + data.get("failing_since"),
						Letter.of("Tracking domain " + data.get("name") + " no longer works",
								"New mail no longer has links of " + data.get("name") + ": " + data.get("error") + ".",
								"Links in mail that was sent before may not work. The name is checked again by itself, "
										+ "and used again once it works."),
						"/domains/" + data.get("domain_id"));
			}
		});
	}

	private void quota(Occasion occasion, Map<String, Object> data) {
		boolean reached = occasion.kind().equals("quota.reached");
		String period = "daily".equals(data.get("period")) ? "day" : "month";
		String until = time(Instant.parse(String.valueOf(data.get("resets_at"))), occasion.timeZone());
		String used = "%s of %s emails of this %s (UTC) are used.".formatted(data.get("used"), data.get("limit"),
				period);
		this.notices.send(occasion.accountId(), reached ? NoticeKind.QUOTA_REACHED : NoticeKind.QUOTA_WARNING,
				occasion.kind() + " " + period + " " + occasion.accountId() + " " + data.get("resets_at"),
				reached ? Letter.of("The emails of this " + period + " are used up",
						used + " New mail is refused until " + until + ".", "A larger plan takes effect at once.")
						: Letter.of("80 % of the emails of this " + period + " are used",
								used + " At the limit new mail is refused until " + until + "."),
				"/usage");
	}

	private long send(ExpiringKey key) {
		return attempt(key.id(),
				() -> this.notices.send(key.accountId(), NoticeKind.API_KEY_EXPIRES,
						"api key " + key.id() + " " + key.days(),
						Letter.of("API key " + key.name() + " expires soon",
								"The API key “" + key.name() + "” expires on " + time(key.expiresAt(), key.timeZone())
										+ ". Requests with it are refused from then on.",
								"Create another key, use it in your programs, and revoke this one."),
						"/api-keys"));
	}

	/** A failure is logged: the event is read again by the next run, if it is recent. */
	private static long attempt(Object id, Runnable work) {
		try {
			work.run();
			return 1;
		}
		catch (RuntimeException ex) {
			log.warn("The members of an account were not told of {}: {}", id, ex.toString());
			return 0;
		}
	}

	private static String time(Instant at, String zone) {
		return TIME.format(at.atZone(ZoneId.of(zone)));
	}

}
