package dev.mailroom.tracking;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.mailroom.EmailAddress.AsciiDomain;
import dev.mailroom.secret.Sha256;

/**
 * Target of a tracked link, an http or https URL. The id is derived from the URL: equal
 * targets have the same link in all mails and attempts.
 *
 * @param id the first half of the URL's SHA-256 hash
 * @param url the URL in ASCII without spaces, as a header can contain it
 */
public record LinkTarget(UUID id, String url) {

	/** Longer links are not tracked: not every client would follow the redirect. */
	private static final int MAX_LENGTH = 8_000;

	private static final Pattern ADDRESS = Pattern.compile("(https?://)((?:[^/?#\\\\@]*@)?)([^/?#\\\\@]+)(.*)",
			Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

	private static final Pattern QUERY = Pattern.compile("[?#]");

	/** Parses a link as a browser does; empty if it cannot be tracked. */
	public static Optional<LinkTarget> of(String href) {
		String cleaned = cleaned(href);
		Matcher address = ADDRESS.matcher(cleaned);
		if (cleaned.length() > MAX_LENGTH || !address.matches()) {
			return Optional.empty();
		}
		return host(address.group(3))
			.map((host) -> address.group(1) + escaped(address.group(2)) + host + escaped(slashed(address.group(4))))
			.filter((url) -> url.length() <= MAX_LENGTH)
			.map((url) -> new LinkTarget(id(url), url));
	}

	/** Without the characters that a browser removes before it parses a URL. */
	private static String cleaned(String href) {
		int begin = 0;
		int end = href.length();
		while (begin < end && href.charAt(begin) <= ' ') {
			begin++;
		}
		while (begin < end && href.charAt(end - 1) <= ' ') {
			end--;
		}
		StringBuilder cleaned = new StringBuilder();
		for (int i = begin; i < end && cleaned.length() <= MAX_LENGTH; i++) {
			char character = href.charAt(i);
			if (character != '\t' && character != '\r' && character != '\n') {
				cleaned.append(character);
			}
		}
		return cleaned.toString();
	}

	private static Optional<String> host(String host) {
		Optional<String> ascii = isPrintable(host) ? Optional.of(host) : AsciiDomain.ofAny(host);
		return ascii.filter(LinkTarget::isPrintable).map(LinkTarget::escaped);
	}

	/** Whether a text consists of printable ASCII characters other than space. */
	private static boolean isPrintable(String text) {
		return text.chars().allMatch((character) -> character > 0x20 && character < 0x7f);
	}

	/**
	 * Replaces backslashes in the path by slashes, as browsers do. An escaped backslash
	 * before an @ would turn the host into user information.
	 */
	private static String slashed(String rest) {
		Matcher query = QUERY.matcher(rest);
		int end = query.find() ? query.start() : rest.length();
		return rest.substring(0, end).replace('\\', '/') + rest.substring(end);
	}

	/** Percent-encodes the UTF-8 octets that a URL cannot contain. */
	private static String escaped(String part) {
		StringBuilder escaped = new StringBuilder(part.length());
		for (byte octet : part.getBytes(StandardCharsets.UTF_8)) {
			boolean allowed = octet > 0x20 && octet < 0x7f && "\"<>\\^`{|}".indexOf(octet) < 0;
			escaped.append(allowed ? String.valueOf((char) octet) : "%%%02X".formatted(octet));
		}
		return escaped.toString();
	}

	private static UUID id(String url) {
		ByteBuffer digest = ByteBuffer.wrap(Sha256.of(url));
		return new UUID(digest.getLong(), digest.getLong());
	}

}
