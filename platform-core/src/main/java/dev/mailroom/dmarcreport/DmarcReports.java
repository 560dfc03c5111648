package dev.mailroom.dmarcreport;

import java.net.InetAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.addresscheck.AddressCheck;
import dev.mailroom.addresscheck.AddressChecks;
import dev.mailroom.database.Transactions;
import dev.mailroom.dmarc.DmarcDiscovery;
import dev.mailroom.dmarc.DmarcRecord;
import dev.mailroom.dmarcreport.DmarcFigures.Counts;
import dev.mailroom.dmarcreport.DmarcFigures.PolicyRecord;
import dev.mailroom.domain.Domain;
import dev.mailroom.domain.Domains;
import dev.mailroom.secret.StampedIds;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Keeps reports about the domains of accounts, and shows their figures. */
@Service
public class DmarcReports {

	/** Days of a period at most: longer than reports are kept. */
	private static final int MAX_DAYS = 400;

	private static final int DEFAULT_DAYS = 30;

	private static final Duration LOOKUP_TIMEOUT = Duration.ofSeconds(3);

	private static final Counts NOTHING = new Counts(0, 0, 0, 0, 0, 0);

	private final DmarcReportStore store;

	private final Domains domains;

	private final DmarcDiscovery discovery;

	private final AddressChecks addresses;

	private final ReportAddress address;

	private final ServerNames names;

	private final Transactions transactions;

	private final Clock clock;

	DmarcReports(DmarcReportStore store, Domains domains, DmarcDiscovery discovery, AddressChecks addresses,
			ReportAddress address, ServerNames names, Transactions transactions, Clock clock) {
		this.store = store;
		this.domains = domains;
		this.discovery = discovery;
		this.addresses = addresses;
		this.address = address;
		this.names = names;
		this.transactions = transactions;
		this.clock = clock;
	}

	/**
	 * Stores a report with its rows about the domain.
	 * @param sender domain in From of the mail
	 * @param verified whether the sender is proven
	 */
	public Mono<Kept> keep(StampedIds.Ids ids, AggregateReport report, String sender, boolean verified) {
		Scope scope = Scope.of(ids.account());
		return this.transactions.in(scope, this.store.lockName(scope, ids.id()).flatMap((name) -> {
			AggregateReport own = report.about(name);
			if (own.rows().isEmpty()) {
				return Mono.just(report.rows().isEmpty() ? Kept.EMPTY : Kept.FOREIGN);
			}
			return this.store.hasRoom(scope, ids.id())
				.flatMap((room) -> room ? this.store.insert(scope, ids.id(), own, sender, verified)
					.map((_) -> verified ? Kept.STORED : Kept.UNVERIFIED)
					.defaultIfEmpty(Kept.REPEATED) : Mono.just(Kept.TOO_MANY));
		}).defaultIfEmpty(Kept.NO_DOMAIN));
	}

	/** Records a mail that could not be read, in place of the oldest one. */
	public Mono<Void> unread(StampedIds.Ids ids, UnreadReport report) {
		return this.transactions.in(Scope.of(ids.account()),
				this.store.insertUnread(Scope.of(ids.account()), ids.id(), report));
	}

	/** The last mails that could not be read, the newest first. */
	@AcrossAccounts("operators see what cannot be read")
	public Mono<List<UnreadReport>> unread() {
		return this.transactions.listAcrossAccounts(this.store.unread().collectList());
	}

	/**
	 * The figures of a period and the policy of the domain.
	 * @param from first day of UTC; null for thirty days
	 * @param to last day of UTC; null for today
	 * @throws dev.mailroom.Refused {@code Domain not found} or
	 * {@code Invalid request data}
	 */
	public Mono<DmarcFigures> figures(Scope scope, UUID id, @Nullable LocalDate from, @Nullable LocalDate to) {
		LocalDate last = (to != null) ? to : LocalDate.ofInstant(this.clock.instant(), ZoneOffset.UTC);
		LocalDate first = (from != null) ? from : last.minusDays(DEFAULT_DAYS - 1L);
		if (last.isBefore(first) || first.plusDays(MAX_DAYS).isBefore(last)) {
			return Mono
				.error(() -> Refusal.INVALID_REQUEST.field("from", "must be one of the 400 days that end with to"));
		}
		return this.domains.find(scope, id)
			.flatMap((domain) -> policy(domain).flatMap((policy) -> this.addresses.all()
				.map(DmarcReports::own)
				.flatMap((own) -> this.transactions.list(scope, figures(scope, domain, policy, first, last, own)))))
			.flatMap((figures) -> this.names.of(servers(figures)).map(figures::named));
	}

	private static Set<String> servers(DmarcFigures figures) {
		return Stream
			.concat(figures.sources().stream().map(DmarcFigures.Source::address),
					figures.failing().stream().map(DmarcFigures.Failing::address))
			.collect(Collectors.toSet());
	}

	private Mono<DmarcFigures> figures(Scope scope, Domain domain, PolicyRecord policy, LocalDate first, LocalDate last,
			Set<InetAddress> own) {
		DmarcReportStore.Period period = new DmarcReportStore.Period(domain.id(), first, last.plusDays(1));
		return this.store.reports(scope, period)
			.flatMap((reports) -> this.store.days(scope, period)
				.collectList()
				.flatMap((days) -> this.store.sources(scope, period, own)
					.collectList()
					.flatMap((sources) -> this.store.failing(scope, period, own)
						.collectList()
						.flatMap((failing) -> this.store.policies(scope, period)
							.collectList()
							.map((seen) -> new DmarcFigures(address(domain).orElse(null), policy, reports.counted(),
									reports.unverified(),
									days.stream().map(DmarcFigures.Day::counts).reduce(NOTHING, Counts::plus), days,
									sources, failing, seen))))));
	}

	/** The address for reports about a domain; empty if reports are not received. */
	public Optional<String> address(Domain domain) {
		return this.address.of(domain.accountId(), domain.id());
	}

	private static Set<InetAddress> own(List<AddressCheck> checks) {
		return checks.stream()
			.filter((check) -> check.kind() != AddressCheck.Kind.DOMAIN)
			.map((check) -> InetAddress.ofLiteral(check.subject()))
			.collect(Collectors.toSet());
	}

	private Mono<PolicyRecord> policy(Domain domain) {
		String host = "_dmarc." + domain.name();
		return this.discovery.discover(domain.name())
			.timeout(LOOKUP_TIMEOUT)
			.map((policy) -> new PolicyRecord(host, policy.at(), policy.stated().map(DmarcRecord::text).orElse(null),
					policy.action().map(DmarcRecord.Action::contractName).orElse(null),
					suggested(policy, address(domain)).orElse(null), true))
			.onErrorReturn(new PolicyRecord(host, null, null, null, null, false));
	}

	/** The value to publish; empty if the present record will do. */
	static Optional<String> suggested(DmarcDiscovery.Policy policy, Optional<String> address) {
		Optional<DmarcRecord> present = policy.stated();
		if (present.isEmpty()) {
			return Optional.of("v=DMARC1; p=none" + address.map((own) -> "; rua=mailto:" + own).orElse(""));
		}
		return address.map((own) -> "mailto:" + own)
			.filter((uri) -> present.get().reportUris().stream().noneMatch(uri::equalsIgnoreCase))
			.map((uri) -> policy.isOwn() ? present.get().withReports(uri)
					: present.get().ofSubdomain(policy.action().orElseThrow(), uri));
	}

	/** Result of storing a report. */
	public enum Kept {

		/** Stored; it counts. */
		STORED,
		/** Stored; it is not counted, because its sender is not proven. */
		UNVERIFIED,
		/** Stored before. */
		REPEATED,
		/** Without rows. */
		EMPTY,
		/** Without rows about the domain. */
		FOREIGN,
		/** More than a domain may get in a day. */
		TOO_MANY,
		/** About a domain that is gone. */
		NO_DOMAIN;

		/** The value of labels. */
		public String label() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
