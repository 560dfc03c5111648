package dev.mailroom.worker.smtp.server;

import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;

import com.google.common.net.InternetDomainName;
import dev.mailroom.EmailAddress.AsciiDomain;
import dev.mailroom.dmarc.DmarcDiscovery;
import dev.mailroom.dmarc.DmarcDiscovery.Policy;
import dev.mailroom.dmarc.DmarcRecord;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.stereotype.Component;

/**
 * Check of DMARC alignment (RFC 9989): whether SPF or DKIM authenticates the domain of
 * the From field. The policy's requested action is not applied.
 */
@Component
class Dmarc {

	private final DmarcDiscovery discovery;

	private final MeterRegistry registry;

	Dmarc(DmarcDiscovery discovery, MeterRegistry registry) {
		this.discovery = discovery;
		this.registry = registry;
	}

	/**
	 * Evaluates the author's policy. Blocks on DNS lookups.
	 * @param authors domains of all addresses in all From fields
	 */
	CheckResult check(Collection<String> authors, Spf.Result spf, DkimCheck.Result dkim) {
		List<String> domains = authors.stream().map(Dmarc::ascii).distinct().toList();
		if (domains.size() != 1) {
			return CheckResult.FAIL;
		}
		try {
			Policy policy = policy(domains.getFirst());
			return policy.stated().map((record) -> compare(policy, record, spf, dkim)).orElse(CheckResult.GRAY);
		}
		catch (UncheckedIOException _) {
			return CheckResult.GRAY;
		}
	}

	/**
	 * Whether the author's domain asks receivers to refuse or quarantine mail that it has
	 * not signed; SPF does not pass for a mail that is forwarded. Blocks on DNS lookups.
	 * @param signers domains whose signatures are valid
	 * @throws UncheckedIOException if the name servers do not answer
	 */
	boolean failsIfForwarded(String author, List<String> signers) {
		Policy policy = policy(ascii(author));
		List<String> byDkim = signers.stream().map(Dmarc::ascii).toList();
		return policy.action().filter((action) -> action != DmarcRecord.Action.NONE).isPresent() && policy.stated()
			.filter((record) -> byDkim.contains(policy.domain())
					|| (!record.isStrictDkim() && aligned(policy.organization(), byDkim)))
			.isEmpty();
	}

	/**
	 * Whether SPF or DKIM authenticates a domain or another one of its organization,
	 * whatever its policy is. Blocks on DNS lookups.
	 */
	boolean authenticates(String author, Spf.Result spf, DkimCheck.Result dkim) {
		List<String> domains = Stream.concat(bySpf(spf).stream(), byDkim(dkim).stream()).toList();
		try {
			return domains.contains(ascii(author))
					|| (!domains.isEmpty() && aligned(organizationOf(ascii(author)), domains));
		}
		catch (UncheckedIOException _) {
			return false;
		}
	}

	private Policy policy(String author) {
		Policy policy = Objects.requireNonNull(this.discovery.discover(author).block());
		if (policy.record() != null) {
			boolean agrees = policy.organization().equals(organization(author));
			this.registry.counter("mailroom.dmarc.discovery", "agrees", Boolean.toString(agrees)).increment();
		}
		return policy;
	}

	private CheckResult compare(Policy policy, DmarcRecord record, Spf.Result spf, DkimCheck.Result dkim) {
		List<String> bySpf = bySpf(spf);
		List<String> byDkim = byDkim(dkim);
		// Those that need no lookup, which may fail, are first.
		if (bySpf.contains(policy.domain()) || byDkim.contains(policy.domain())
				|| (!record.isStrictSpf() && aligned(policy.organization(), bySpf))
				|| (!record.isStrictDkim() && aligned(policy.organization(), byDkim))) {
			return CheckResult.PASS;
		}
		boolean broken = List.of(spf.check(), dkim.check()).contains(CheckResult.PROCESSING_FAILED);
		if (broken) {
			return CheckResult.PROCESSING_FAILED;
		}
		// A temporary DNS error is no failure (RFC 9989 section 5.3).
		return (spf.temporary() || dkim.temporary()) ? CheckResult.GRAY : CheckResult.FAIL;
	}

	private static List<String> bySpf(Spf.Result spf) {
		return (spf.check() == CheckResult.PASS) ? List.of(ascii(spf.domain())) : List.of();
	}

	private static List<String> byDkim(DkimCheck.Result dkim) {
		return dkim.domains().stream().map(Dmarc::ascii).toList();
	}

	/** Whether one of the domains belongs to an organization. */
	private boolean aligned(String organization, List<String> domains) {
		return domains.contains(organization) || domains.stream()
			.filter((domain) -> domain.endsWith("." + organization))
			.anyMatch((domain) -> organization.equals(organizationOf(domain)));
	}

	private String organizationOf(String domain) {
		return Objects.requireNonNull(this.discovery.organization(domain).block());
	}

	/**
	 * Organizational domain by the list of public suffixes: one label below one. Used for
	 * comparison only.
	 */
	static String organization(String domain) {
		if (InternetDomainName.isValid(domain)) {
			InternetDomainName name = InternetDomainName.from(domain);
			if (name.isUnderPublicSuffix()) {
				return name.topPrivateDomain().toString();
			}
			List<String> labels = name.parts();
			// A top-level domain that is not on the list counts as a public suffix.
			if (!name.isPublicSuffix() && labels.size() > 2) {
				return String.join(".", labels.subList(labels.size() - 2, labels.size()));
			}
		}
		return domain;
	}

	private static String ascii(String domain) {
		return AsciiDomain.ofAny(domain).orElseGet(() -> domain.toLowerCase(Locale.ROOT));
	}

}
