package dev.mailroom.mail.outcome;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Scope;
import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.database.Transactions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Reputation of accounts and their domains: deliveries, hard bounces and complaints. A
 * scope with an API key sees only the domain of that key.
 */
@Service
public class Reputations {

	private static final int MAX_CAUSES = 5;

	private final ReputationStore store;

	private final Transactions transactions;

	private final JdbcTransactions threads;

	Reputations(ReputationStore store, Transactions transactions, JdbcTransactions threads) {
		this.store = store;
		this.transactions = transactions;
		this.threads = threads;
	}

	/** The counts of a period; zero if nothing was sent. */
	public Mono<Figures> figures(Scope scope, Period period) {
		return this.transactions.list(scope, this.store.figures(scope, period));
	}

	/** The counts since a day of UTC of those of some domains that have any. */
	public Mono<Map<UUID, Figures>> ofDomains(Scope scope, Collection<UUID> domains, LocalDate from) {
		return this.transactions.in(scope, this.store.ofDomains(scope, domains, from)
			.collectMap(ReputationStore.DomainFigures::domainId, ReputationStore.DomainFigures::figures));
	}

	/** The counts of each day of a period that has any, in order. */
	public Mono<List<DayFigures>> days(Scope scope, Period period) {
		return this.transactions.in(scope, this.store.days(scope, period).collectList());
	}

	/** The results of a period by provider, those with the most attempts first. */
	public Mono<List<ProviderFigures>> providers(Scope scope, Period period) {
		return this.transactions.in(scope, this.store.providers(scope, period)
			.groupBy(ReputationStore.ProviderDay::provider, ReputationStore.ProviderDay::day)
			.flatMap((provider) -> provider.collectList().map((days) -> ProviderFigures.of(provider.key(), days)),
					Integer.MAX_VALUE)
			.sort(Comparator.comparingLong((ProviderFigures one) -> one.delivered() + one.deferred() + one.blocked())
				.reversed()
				.thenComparing(ProviderFigures::provider))
			.collectList());
	}

	/** The counts of each of the last days of all accounts together, in order. */
	@AcrossAccounts("operators watch the whole platform")
	public Mono<List<DayFigures>> platformDays(int days) {
		return this.transactions.acrossAccounts(this.store.platformDays(days).collectList());
	}

	/** Counts of each account that has sent mail, over 1, 7 and 30 days. */
	@AcrossAccounts("operators watch the ratios of all accounts")
	public List<Recent> recent() {
		return this.threads.acrossAccounts(this.store::recent);
	}

	/** The counts of a period with their causes. */
	public Mono<Report> report(Scope scope, Period period) {
		Mono<Report> report = this.store.figures(scope, period)
			.flatMap((figures) -> this.store.causes(scope, period, MAX_CAUSES)
				.collectList()
				.map((causes) -> new Report(figures, causes)));
		return this.transactions.list(scope, report);
	}

	/**
	 * Period and domain of a report; null means no limit.
	 *
	 * @param domainId the only domain included
	 * @param from first day of UTC
	 * @param to last day of UTC
	 */
	public record Period(@Nullable UUID domainId, @Nullable LocalDate from, @Nullable LocalDate to) {
	}

	/**
	 * Numbers of mails by result that were first settled on a day of UTC.
	 *
	 * @param sent accepted by a relay that is not the final destination
	 * @param bounced refused permanently: hard, soft and block bounces
	 * @param hardBounced refused because the address does not exist
	 */
	public record DayFigures(LocalDate day, long delivered, long sent, long bounced, long hardBounced,
			long complained) {
	}

	/**
	 * Numbers of mails by result.
	 *
	 * @param hardBounced mails refused because the address does not exist
	 */
	public record Figures(long delivered, long hardBounced, long complained) {

		private static final double PERCENT = 100;

		/**
		 * Hard bounces in percent of the sample size, to two decimals; 0 without traffic.
		 */
		public double bounceRate() {
			return rate(this.hardBounced, this.delivered + this.hardBounced, 100);
		}

		/** Complaints in percent of delivered mail, to three decimals; 0 without any. */
		public double complaintRate() {
			return rate(this.complained, this.delivered, 1000);
		}

		/** Number of mails on which the bounce rate is based. */
		public long sampleSize() {
			return this.delivered + this.hardBounced;
		}

		private static double rate(long part, long whole, double fraction) {
			return (whole > 0) ? Math.round(PERCENT * part / whole * fraction) / fraction : 0;
		}

	}

	/**
	 * A cause of hard bounces or complaints, and its frequency.
	 *
	 * @param cause an enhanced status code (RFC 3463), {@code complaint} or {@code other}
	 */
	public record Cause(String cause, long count) {

		static final String COMPLAINT = "complaint";

		private static final String OTHER = "other";

		/** Limits the number of different causes that servers can produce. */
		private static final Pattern CODE = Pattern.compile("(?<![\\d.])5\\.[0-7]\\.\\d{1,2}(?!\\.?\\d)");

		/** The cause in a server's reply. */
		static String of(String reply) {
			Matcher code = CODE.matcher(reply);
			return code.find() ? code.group() : OTHER;
		}

		/** The description of the cause. */
		public String meaning() {
			if (this.cause.equals(COMPLAINT)) {
				return "A recipient reported the mail as spam";
			}
			return switch (this.cause.equals(OTHER) ? '0' : this.cause.charAt(2)) {
				case '1' -> "The address does not exist";
				case '2' -> "The mailbox is disabled, full or too small for the mail";
				case '3' -> "The receiving system does not accept such mail";
				case '4' -> "The receiving system cannot be reached";
				case '5' -> "The receiving system did not understand the sending one";
				case '6' -> "The content of the mail is not accepted";
				case '7' -> "The policy of the receiving system forbids it";
				default -> "The receiving system gave no reason";
			};
		}
	}

	/**
	 * Reputation over a period, with advice.
	 *
	 * @param causes the most frequent causes of bounces and complaints, most frequent
	 * first
	 */
	public record Report(Figures figures, List<Cause> causes) {

		/** Below this sample size a single mail changes the rates noticeably. */
		private static final int SMALL_SAMPLE = 100;

		/** The worse of the standings of both rates. */
		public Standing standing() {
			return bounces().or(complaints());
		}

		public Standing bounces() {
			return Standing.Threshold.BOUNCE.of(this.figures.bounceRate());
		}

		public Standing complaints() {
			return Standing.Threshold.COMPLAINT.of(this.figures.complaintRate());
		}

		/** Recommended actions, most urgent first; at least one sentence. */
		public List<String> advice() {
			List<String> advice = new ArrayList<>();
			if (complaints() != Standing.HEALTHY) {
				advice.add("Send only to people who asked for it, state in each mail why they receive it, and make "
						+ "unsubscribing easy: recipients who cannot unsubscribe report spam instead");
			}
			if (bounces() != Standing.HEALTHY) {
				advice.add(
						"Confirm addresses when they are entered, remove those that bounced from your lists, and do not "
								+ "use old or bought lists");
			}
			if (standing() == Standing.RISKY) {
				advice.add("Send less until the rates have fallen: with these rates a provider may block your mail");
			}
			if (standing() != Standing.HEALTHY && this.figures.sampleSize() < SMALL_SAMPLE) {
				advice.add("The rates are based on few mails: look at the causes before you change anything");
			}
			if (advice.isEmpty()) {
				advice.add((this.figures.sampleSize() > 0) ? "Nothing needs to be done"
						: "Nothing was sent in this period");
			}
			return advice;
		}

	}

	/**
	 * Counts of an account over the last days.
	 *
	 * @param days number of days before today
	 */
	public record Recent(UUID accountId, int days, long delivered, long hardBounced, long complained) {

		/** Hard bounces as a fraction of all attempts, from 0 to 1. */
		public double bounceRatio() {
			return ratio(this.hardBounced, this.delivered + this.hardBounced);
		}

		/** Complaints as a fraction of delivered mail. */
		public double complaintRatio() {
			return ratio(this.complained, this.delivered);
		}

		private static double ratio(long part, long whole) {
			return (whole > 0) ? (double) part / whole : 0;
		}

	}

}
