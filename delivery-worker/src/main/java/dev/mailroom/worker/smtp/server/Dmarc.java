package dev.mailroom.worker.smtp.server;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import com.google.common.net.InternetDomainName;
import dev.mailroom.EmailAddress.AsciiDomain;
import dev.mailroom.worker.dns.BlockingResolver;

import org.springframework.stereotype.Component;

/**
 * Check of DMARC alignment (RFC 7489): whether SPF or DKIM authenticates the domain of
 * the From field. The policy's requested action is not applied.
 */
@Component
class Dmarc {

	private static final Pattern VERSION = Pattern.compile("v\\s*=\\s*DMARC1\\s*(;.*)?", Pattern.DOTALL);

	private final BlockingResolver resolver;

	Dmarc(BlockingResolver resolver) {
		this.resolver = resolver;
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
		String author = domains.getFirst();
		try {
			List<String> policy = policy(author);
			return policy.isEmpty() ? CheckResult.GRAY : compare(author, policy.getFirst(), spf, dkim);
		}
		catch (IOException _) {
			return CheckResult.GRAY;
		}
	}

	private static CheckResult compare(String author, String policy, Spf.Result spf, DkimCheck.Result dkim) {
		boolean bySpf = spf.check() == CheckResult.PASS && aligned(author, spf.domain(), strict(policy, "aspf"));
		boolean byDkim = dkim.domains().stream().anyMatch((domain) -> aligned(author, domain, strict(policy, "adkim")));
		if (bySpf || byDkim) {
			return CheckResult.PASS;
		}
		boolean broken = List.of(spf.check(), dkim.check()).contains(CheckResult.PROCESSING_FAILED);
		if (broken) {
			return CheckResult.PROCESSING_FAILED;
		}
		// A temporary DNS error is no failure (RFC 7489 section 6.6.2).
		return (spf.temporary() || dkim.temporary()) ? CheckResult.GRAY : CheckResult.FAIL;
	}

	/** Policy of the domain or its organizational domain; none if there are several. */
	private List<String> policy(String author) throws IOException {
		List<String> own = published(author);
		String organization = organization(author);
		List<String> policies = (own.isEmpty() && !organization.equals(author)) ? published(organization) : own;
		return (policies.size() == 1) ? policies : List.of();
	}

	private List<String> published(String domain) throws IOException {
		return this.resolver.texts("_dmarc." + domain)
			.stream()
			.map(String::strip)
			.filter((text) -> VERSION.matcher(text).matches())
			.toList();
	}

	private static boolean aligned(String author, String domain, boolean strict) {
		String authenticated = ascii(domain);
		return authenticated.equals(author) || (!strict && organization(authenticated).equals(organization(author)));
	}

	private static boolean strict(String policy, String tag) {
		return Pattern.compile(";")
			.splitAsStream(policy)
			.map((field) -> field.replaceAll("\\s", ""))
			.anyMatch((field) -> field.equalsIgnoreCase(tag + "=s"));
	}

	/** Organizational domain: one label below a public suffix. */
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
