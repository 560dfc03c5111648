package dev.mailroom.domain;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** What a domain publishes, and whether DNS has it. */
@Component
class Records {

	/** A domain's records asked for at a time. */
	private static final int AT_ONCE = 8;

	private static final int MX_PRIORITY = 10;

	private final Dns dns;

	private final DomainSettings settings;

	Records(Dns dns, DomainSettings settings) {
		this.dns = dns;
		this.settings = settings;
	}

	/** All that a domain is to publish, not looked at yet. */
	List<DnsRecord> of(String name, String ownershipToken, List<DkimKey> keys) {
		List<DnsRecord> records = new ArrayList<>();
		records.add(txt("ownership", "_mailroom." + name, "mailroom-verification=" + ownershipToken));
		keys.forEach((key) -> records.add(txt("dkim", key.host(), key.record())));
		records.add(new DnsRecord("return_path", "MX", "bounce." + name, this.settings.mxHost(), MX_PRIORITY, "pending",
				null));
		records.add(txt("spf", "bounce." + name, "v=spf1 include:" + this.settings.spfInclude() + " ~all"));
		records.add(txt("dmarc", "_dmarc." + name, "v=DMARC1; p=none"));
		return records;
	}

	/** Looks all of them up. */
	Mono<List<DnsRecord>> look(List<DnsRecord> records) {
		return Flux.fromIterable(records)
			.flatMapSequential((record) -> look(record).map(record::seen), AT_ONCE)
			.collectList();
	}

	private Mono<DnsRecord.Check> look(DnsRecord record) {
		Mono<Dns.Answer> answer = record.type().equals("MX") ? this.dns.mx(record.host()) : this.dns.txt(record.host());
		return answer.map((found) -> switch (found) {
			case Dns.Answer.Unknown(var reason) -> new DnsRecord.Check("temporary_failure", reason);
			case Dns.Answer.Found(var values) -> compare(record, values);
		});
	}

	private static DnsRecord.Check compare(DnsRecord record, List<String> values) {
		if (values.stream().anyMatch((value) -> fits(record, value))) {
			return DnsRecord.Check.VERIFIED;
		}
		String found = values.isEmpty() ? "nothing" : String.join(" | ", values);
		return new DnsRecord.Check("failed", "Expected " + record.type() + " " + record.host() + " to be "
				+ record.value() + ", found " + shortened(found));
	}

	/** A policy of the domain's own is as good as the one advised. */
	private static boolean fits(DnsRecord record, String value) {
		return switch (record.purpose()) {
			case "dmarc" -> value.strip().toUpperCase(Locale.ROOT).startsWith("V=DMARC1");
			case "spf" -> value.contains(record.value().split(" ", -1)[1]);
			case "dkim" -> value.replaceAll("\\s", "").contains("p=" + publicKey(record.value()));
			case "return_path" -> value.equalsIgnoreCase(record.value());
			default -> value.strip().equals(record.value());
		};
	}

	private static DnsRecord txt(String purpose, String host, String value) {
		return new DnsRecord(purpose, "TXT", host, value, null, "pending", null);
	}

	private static String publicKey(String record) {
		return record.substring(record.indexOf("p=") + 2);
	}

	private static String shortened(String text) {
		return (text.length() > 300) ? text.substring(0, 300) + "…" : text;
	}

}
