package dev.mailroom.domain;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import com.google.common.net.InternetDomainName;
import dev.mailroom.EmailAddress.AsciiDomain;
import org.jspecify.annotations.Nullable;

/**
 * Name of a sending domain, lower-case and in ASCII (RFC 5891): letters, digits and
 * hyphens (RFC 1123), below a public suffix.
 */
public record DomainName(String text) {

	private static final Pattern LABEL = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

	private static final Pattern DIGITS = Pattern.compile("[0-9]+");

	/** Leaves room for the prefixes of the records within the limit of RFC 1035 2.3.4. */
	private static final int MAX_LENGTH = 200;

	/** Top-level domains that are not in DNS (RFC 2606, RFC 6761). */
	private static final List<String> RESERVED = List.of("test", "example", "localhost");

	/**
	 * Parses a name.
	 * @throws dev.mailroom.Refused {@code Invalid request data}
	 */
	public static DomainName parse(@Nullable String text) {
		String name = ascii((text != null) ? text.strip() : "");
		List<String> labels = List.of(name.split("\\.", -1));
		if (labels.size() < 2 || name.length() > MAX_LENGTH
				|| !labels.stream().allMatch((label) -> LABEL.matcher(label).matches())) {
			throw DomainRefusals.name("must be a domain name, such as mail.example.com");
		}
		if (DIGITS.matcher(labels.getLast()).matches()) {
			throw DomainRefusals.name("must be a name, not an IP address");
		}
		if (InternetDomainName.isValid(name) && InternetDomainName.from(name).isPublicSuffix()) {
			throw DomainRefusals.name("is a public suffix, below which other owners register domains");
		}
		return new DomainName(name);
	}

	private static String ascii(String text) {
		String name = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
		return AsciiDomain.of(name.toLowerCase(Locale.ROOT))
			.orElseThrow(() -> DomainRefusals.name("must be a domain name, such as mail.example.com"));
	}

	/** Whether the name is below a reserved top-level domain. */
	static boolean isReserved(String name) {
		return RESERVED.contains(name.substring(name.lastIndexOf('.') + 1));
	}
}
