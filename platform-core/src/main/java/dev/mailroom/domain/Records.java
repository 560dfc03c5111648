package dev.mailroom.domain;

import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.mailroom.dmarc.DmarcDiscovery;
import dev.mailroom.domain.DnsRecord.Check;
import dev.mailroom.domain.DnsRecord.Purpose;
import dev.mailroom.domain.Domain.Status;
import dev.mailroom.domain.NameServers.Answer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Builds the DNS records of a domain and looks them up. */
@Component
class Records {

	/** Lookups of one domain at a time. */
	private static final int CONCURRENCY = 8;

	private static final String DMARC_PREFIX = "_dmarc.";

	private static final int MX_PRIORITY = 10;

	/** Longest part of the found values that an error shows. */
	private static final int MAX_SHOWN = 300;

	private final NameServers servers;

	private final DmarcDiscovery dmarc;

	private final DomainSettings settings;

	Records(NameServers servers, DmarcDiscovery dmarc, DomainSettings settings) {
		this.servers = servers;
		this.dmarc = dmarc;
		this.settings = settings;
	}

	/** All records that a domain must publish, with the status pending. */
	List<DnsRecord> of(String name, String ownershipToken, List<DkimKey> keys) {
		List<DnsRecord> records = new ArrayList<>();
		records.add(txt(Purpose.OWNERSHIP, "_mailroom." + name, "mailroom-verification=" + ownershipToken));
		keys.forEach((key) -> records.add(txt(Purpose.DKIM, key.host(), key.record())));
		records.add(new DnsRecord(Purpose.RETURN_PATH, "MX", "bounce." + name, this.settings.mxHost(), MX_PRIORITY,
				Status.PENDING, null));
		records.add(txt(Purpose.SPF, "bounce." + name, "v=spf1 include:" + this.settings.spfInclude() + " ~all"));
		records.add(txt(Purpose.DMARC, DMARC_PREFIX + name, "v=DMARC1; p=none"));
		return records;
	}

	/** The domain of a row, with its records and their last checks. */
	Domain domain(DomainStore.Row row, List<DkimKey> keys) {
		List<DnsRecord> checked = of(row.name(), row.ownershipToken(), keys).stream()
			.map((record) -> record.with(row.checks().getOrDefault(record.key(), Check.PENDING)))
			.toList();
		return new Domain(row.id(), row.accountId(), row.name(), row.status(), checked, row.openTracking(),
				row.clickTracking(), row.transport(), row.requireTls(), row.createdAt(), row.verifiedAt(), checks(row),
				keys.stream().map(DkimKey::described).toList());
	}

	private Domain.Checks checks(DomainStore.Row row) {
		@Nullable Instant since = row.failingSince();
		return new Domain.Checks(row.checkedAt(), since,
				(since != null) ? since.plus(this.settings.domainGrace()) : null);
	}

	/** Looks up all records. */
	Mono<List<DnsRecord>> lookUp(List<DnsRecord> records) {
		return Flux.fromIterable(records)
			.flatMapSequential((record) -> lookUp(record).map(record::with), CONCURRENCY)
			.collectList();
	}

	private Mono<Check> lookUp(DnsRecord record) {
		return (record.purpose() == Purpose.DMARC) ? lookUpPolicy(record) : lookUpValues(record);
	}

	/** Any policy is accepted, also that of a domain above. */
	private Mono<Check> lookUpPolicy(DnsRecord record) {
		return this.dmarc.discover(record.host().substring(DMARC_PREFIX.length()))
			.flatMap((policy) -> policy.stated().isPresent() ? Mono.just(Check.VERIFIED) : lookUpValues(record))
			.onErrorResume(UncheckedIOException.class,
					(error) -> Mono.just(new Check(Status.TEMPORARY_FAILURE, error.getMessage())));
	}

	private Mono<Check> lookUpValues(DnsRecord record) {
		Mono<Answer> answer = record.type().equals("MX") ? this.servers.mx(record.host())
				: this.servers.txt(record.host());
		return answer.map((result) -> switch (result) {
			case NameServers.Unknown(var reason) -> new Check(Status.TEMPORARY_FAILURE, reason);
			case NameServers.Found(var values) -> compare(record, values);
		});
	}

	private static Check compare(DnsRecord record, List<String> values) {
		if (values.stream().anyMatch((value) -> matches(record, value))) {
			return Check.VERIFIED;
		}
		String found = values.isEmpty() ? "nothing" : String.join(" | ", values);
		return new Check(Status.FAILED, "Expected " + record.type() + " " + record.host() + " to be " + record.value()
				+ ", found " + shorten(found));
	}

	/** Any SPF record that includes the platform's is accepted. */
	private static boolean matches(DnsRecord record, String value) {
		return switch (record.purpose()) {
			case OWNERSHIP -> value.strip().equals(record.value());
			case DKIM -> value.replaceAll("\\s", "").contains("p=" + publicKey(record.value()));
			case RETURN_PATH -> value.equalsIgnoreCase(record.value());
			case SPF -> value.contains(record.value().split(" ", -1)[1]);
			// The walk has found no policy.
			case DMARC -> false;
		};
	}

	private static DnsRecord txt(Purpose purpose, String host, String value) {
		return new DnsRecord(purpose, "TXT", host, value, null, Status.PENDING, null);
	}

	private static String publicKey(String record) {
		return record.substring(record.indexOf("p=") + 2);
	}

	private static String shorten(String text) {
		return (text.length() > MAX_SHOWN) ? text.substring(0, MAX_SHOWN) + "…" : text;
	}

}
