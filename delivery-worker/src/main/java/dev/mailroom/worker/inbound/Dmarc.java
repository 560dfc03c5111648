package dev.mailroom.worker.inbound;

import java.io.IOException;
import java.net.IDN;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import com.google.common.net.InternetDomainName;

import org.springframework.stereotype.Component;

/**
 * Whether the domain that readers see as the author's is one that SPF or DKIM has proven
 * (RFC 7489). It says so; what a policy asks for is not done here.
 */
@Component
class Dmarc {

	private static final Pattern VERSION = Pattern.compile("v\\s*=\\s*DMARC1\\s*(;.*)?", Pattern.DOTALL);

	private final BlockingResolver names;

	Dmarc(BlockingResolver names) {
		this.names = names;
	}

	/**
	 * Asks name servers and waits for them.
	 * @param authors the domains of all addresses in all From fields
	 */
	CheckResult check(Collection<String> authors, Spf.Result spf, Dkim.Result dkim) {
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

	private static CheckResult compare(String author, String policy, Spf.Result spf, Dkim.Result dkim) {
		boolean bySpf = spf.verdict() == CheckResult.PASS && aligned(author, spf.domain(), strict(policy, "aspf"));
		boolean byDkim = dkim.domains().stream().anyMatch((domain) -> aligned(author, domain, strict(policy, "adkim")));
		if (bySpf || byDkim) {
			return CheckResult.PASS;
		}
		boolean broken = List.of(spf.verdict(), dkim.verdict()).contains(CheckResult.PROCESSING_FAILED);
		if (broken) {
			return CheckResult.PROCESSING_FAILED;
		}
		// What nobody could look up may hold at the next look (RFC 7489 6.6.2).
		return (spf.unknown() || dkim.unknown()) ? CheckResult.GRAY : CheckResult.FAIL;
	}

	/** The domain's own policy, or that of the organization's; two are none. */
	private List<String> policy(String author) throws IOException {
		List<String> own = published(author);
		String organization = organization(author);
		List<String> found = (own.isEmpty() && !organization.equals(author)) ? published(organization) : own;
		return (found.size() == 1) ? found : List.of();
	}

	private List<String> published(String domain) throws IOException {
		return this.names.texts("_dmarc." + domain)
			.stream()
			.map(String::strip)
			.filter((text) -> VERSION.matcher(text).matches())
			.toList();
	}

	private static boolean aligned(String author, String domain, boolean strict) {
		String proven = ascii(domain);
		return proven.equals(author) || (!strict && organization(proven).equals(organization(author)));
	}

	private static boolean strict(String policy, String tag) {
		return Pattern.compile(";")
			.splitAsStream(policy)
			.map((each) -> each.replaceAll("\\s", ""))
			.anyMatch((each) -> each.equalsIgnoreCase(tag + "=s"));
	}

	/** What was registered: one label below a public suffix. */
	static String organization(String domain) {
		if (InternetDomainName.isValid(domain)) {
			InternetDomainName name = InternetDomainName.from(domain);
			if (name.isUnderPublicSuffix()) {
				return name.topPrivateDomain().toString();
			}
			List<String> labels = name.parts();
			// A top-level domain that the list does not know is a suffix itself.
			if (!name.isPublicSuffix() && labels.size() > 2) {
				return String.join(".", labels.subList(labels.size() - 2, labels.size()));
			}
		}
		return domain;
	}

	private static String ascii(String domain) {
		try {
			return IDN.toASCII(domain).toLowerCase(Locale.ROOT);
		}
		catch (IllegalArgumentException _) {
			return domain.toLowerCase(Locale.ROOT);
		}
	}

}
