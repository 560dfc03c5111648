package dev.mailroom.tlsreport;

import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.database.Transactions;
import dev.mailroom.dmarcreport.DmarcReports.Kept;
import dev.mailroom.dmarcreport.ReportAddress;
import dev.mailroom.domain.Domain;
import dev.mailroom.domain.Domains;
import dev.mailroom.secret.StampedIds;
import dev.mailroom.tlsreport.TlsFigures.ReportRecord;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Keeps reports about TLS with the servers of domains, and shows their figures. */
@Service
public class TlsReports {

	/** Days of a period at most: longer than reports are kept. */
	private static final int MAX_DAYS = 400;

	private static final int DEFAULT_DAYS = 30;

	private final TlsReportStore store;

	private final Domains domains;

	private final ReportAddress address;

	private final Transactions transactions;

	private final Clock clock;

	TlsReports(TlsReportStore store, Domains domains, ReportAddress address, Transactions transactions, Clock clock) {
		this.store = store;
		this.domains = domains;
		this.address = address;
		this.transactions = transactions;
		this.clock = clock;
	}

	/**
	 * Stores a report with what it says about the domain.
	 * @param sender domain in From of the mail
	 * @param verified whether the sender is proven
	 */
	public Mono<Kept> keep(StampedIds.Ids ids, TlsReport report, String sender, boolean verified) {
		Scope scope = Scope.of(ids.account());
		return this.transactions.in(scope, this.store.lockName(scope, ids.id()).flatMap((name) -> {
			TlsReport own = report.about(name);
			if (own.policies().isEmpty()) {
				return Mono.just(report.policies().isEmpty() ? Kept.EMPTY : Kept.FOREIGN);
			}
			return this.store.hasRoom(scope, ids.id())
				.flatMap((room) -> room ? this.store.insert(scope, ids.id(), own, sender, verified)
					.map((_) -> verified ? Kept.STORED : Kept.UNVERIFIED)
					.defaultIfEmpty(Kept.REPEATED) : Mono.just(Kept.TOO_MANY));
		}).defaultIfEmpty(Kept.NO_DOMAIN));
	}

	/**
	 * The figures of a period, and the record that asks for reports.
	 * @param from first day of UTC; null for thirty days
	 * @param to last day of UTC; null for today
	 * @throws dev.mailroom.Refused {@code Domain not found} or
	 * {@code Invalid request data}
	 */
	public Mono<TlsFigures> figures(Scope scope, UUID id, @Nullable LocalDate from, @Nullable LocalDate to) {
		LocalDate last = (to != null) ? to : LocalDate.ofInstant(this.clock.instant(), ZoneOffset.UTC);
		LocalDate first = (from != null) ? from : last.minusDays(DEFAULT_DAYS - 1L);
		if (last.isBefore(first) || first.plusDays(MAX_DAYS).isBefore(last)) {
			return Mono
				.error(() -> Refusal.INVALID_REQUEST.field("from", "must be one of the 400 days that end with to"));
		}
		TlsReportStore.Period period = new TlsReportStore.Period(id, first, last.plusDays(1));
		return this.domains.find(scope, id)
			.flatMap((domain) -> this.transactions.list(scope,
					this.store.sums(scope, period)
						.flatMap((sums) -> this.store.failures(scope, period)
							.collectList()
							.map((failures) -> figures(domain, sums, failures)))));
	}

	private TlsFigures figures(Domain domain, TlsReportStore.Sums sums, List<TlsFigures.Failure> failures) {
		Optional<String> own = this.address.ofTls(domain.accountId(), domain.id());
		return new TlsFigures(own.orElse(null), own
			.map((address) -> new ReportRecord("_smtp._tls." + domain.name(), "v=TLSRPTv1; rua=mailto:" + address))
			.orElse(null), sums.counted(), sums.unverified(), sums.successful(), sums.failed(), failures);
	}

}
