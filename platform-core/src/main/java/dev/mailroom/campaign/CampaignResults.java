package dev.mailroom.campaign;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import dev.mailroom.FieldErrors;
import dev.mailroom.Scope;
import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.database.Transactions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/**
 * Results of campaigns: counts over time, clicks by link, and unsubscriptions; before the
 * start, the number of recipients. Sent, opened and clicked mails are counted by the
 * database when their status changes.
 */
@Service
public class CampaignResults {

	/** Contacts of a book up to which all are counted. */
	private static final int MAX_COUNTED = 200_000;

	/** Contacts of a larger book that are counted. */
	private static final int SAMPLE = 20_000;

	/** Contacts that are looked through for the next recipient of a campaign. */
	static final int MAX_SCANNED = 10_000;

	private final CampaignResultStore store;

	private final CampaignStore campaigns;

	private final CampaignReferences references;

	private final Transactions transactions;

	private final JdbcTransactions threads;

	CampaignResults(CampaignResultStore store, CampaignStore campaigns, CampaignReferences references,
			Transactions transactions, JdbcTransactions threads) {
		this.store = store;
		this.campaigns = campaigns;
		this.references = references;
		this.transactions = transactions;
		this.threads = threads;
	}

	/**
	 * The results of each interval in which there were any, oldest first. Of more than
	 * ten thousand intervals the oldest are returned.
	 * @throws dev.mailroom.Refused {@code Campaign not found}
	 */
	public Mono<List<Point>> series(Scope scope, UUID id, Interval interval) {
		return this.transactions.list(scope, required(scope, id, this.store.series(scope, id, interval).collectList()));
	}

	/**
	 * Clicks by link, most clicks first, a thousand at most.
	 * @throws dev.mailroom.Refused {@code Campaign not found}
	 */
	public Mono<List<Link>> links(Scope scope, UUID id) {
		return this.transactions.list(scope, required(scope, id, this.store.links(scope, id).collectList()));
	}

	/**
	 * Counts the contacts of a book that a campaign would reach now.
	 * @param filter condition on the contacts; null for all
	 * @throws dev.mailroom.Refused {@code Contact book not found} or
	 * {@code Invalid request data}
	 */
	public Mono<Campaign.Audience> audience(Scope scope, UUID book, @Nullable Map<String, Object> filter) {
		return Mono.defer(() -> {
			FieldErrors errors = new FieldErrors();
			RecipientFilter.check(filter, errors);
			errors.refuseIfAny();
			int exact = RecipientFilter.hasBehaviour(filter) ? RecipientFilter.MAX_CONTACTS_OF_BEHAVIOUR : MAX_COUNTED;
			return this.transactions.list(scope,
					this.references.requireBook(scope, book)
						.then(Mono.defer(() -> this.store.audience(scope, book, (filter != null) ? filter : Map.of(),
								exact, SAMPLE / 2))));
		});
	}

	/**
	 * The contact that a campaign would reach after another one, oldest first; empty if
	 * none of the next {@value #MAX_SCANNED} contacts of the book is one.
	 * @param from the other contact; null begins with the oldest
	 * @param backwards whether the one before is searched
	 */
	public Mono<UUID> recipient(Scope scope, Campaign campaign, @Nullable UUID from, boolean backwards) {
		return this.transactions.list(scope, this.store.recipient(scope, campaign, from, backwards));
	}

	/**
	 * Counts a click by a person, in the caller's transaction.
	 * @param email the clicked mail, which stands for its recipient
	 */
	public Mono<Void> countClick(Scope scope, UUID campaign, UUID email, UUID link, String url) {
		return this.store.countClick(scope, campaign, email, link, url);
	}

	/** Counts a click by a person, in a transaction of JDBC. */
	public void countClick(JdbcClient jdbc, Scope scope, UUID campaign, UUID email, UUID link, String url) {
		this.store.countClick(jdbc, scope, campaign, email, link, url);
	}

	/**
	 * Counts the first unsubscription of a contact through the mail of a campaign, in the
	 * caller's transaction.
	 */
	public Mono<Void> countUnsubscribed(Scope scope, UUID campaign, UUID contact) {
		return this.store.countUnsubscribed(scope, campaign, contact);
	}

	/** Number of campaigns in each status that occurs, for monitoring. */
	public List<Count> counts() {
		return this.threads.acrossAccounts(this.store::counts);
	}

	private <T> Mono<T> required(Scope scope, UUID id, Mono<T> result) {
		return this.campaigns.find(scope, id)
			.switchIfEmpty(Mono.error(() -> CampaignRefusals.missing(id)))
			.flatMap((_) -> result);
	}

	/** Length of the intervals of a series. */
	public enum Interval {

		MINUTE, HOUR, DAY;

		/** The interval for a name; hour without one, empty for an unknown name. */
		public static Optional<Interval> of(@Nullable String contractName) {
			return (contractName == null) ? Optional.of(HOUR)
					: Arrays.stream(values())
						.filter((interval) -> interval.contractName().equals(contractName))
						.findFirst();
		}

		/** The name in lower case. */
		public String contractName() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

	/** Number of campaigns with a status. */
	public record Count(String status, long count) {
	}

	/**
	 * Results of one interval.
	 *
	 * @param at beginning of the interval, in UTC
	 */
	public record Point(Instant at, long sent, long delivered, long bounced, long complained, long failed, long opened,
			long clicked, long unsubscribed, long skipped) {
	}

	/**
	 * Clicks on a link.
	 *
	 * @param url target of the link
	 * @param people number of different recipients who clicked; null if the link was
	 * clicked before they were counted
	 */
	public record Link(String url, long clicks, @Nullable Long people) {
	}

}
