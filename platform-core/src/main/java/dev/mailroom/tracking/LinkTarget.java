package dev.mailroom.tracking;

import java.net.IDN;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a click leads to: http or https and nothing else. It is known by what it says, so
 * that the same target is the same link in whatever mail and at whatever attempt.
 *
 * @param id the first half of its SHA-256
 * @param url as it can stand in a header: ASCII, without spaces
 */
public record LinkTarget(UUID id, String url) {

	/** A longer one is left as it is: not every program would follow it to us and on. */
	private static final int LONGEST = 8_000;

	/** What a browser drops from a link before it reads it. */
	private static final Pattern DROPPED = Pattern.compile("^[\\x00-\\x20]+|[\\t\\r\\n]|[\\x00-\\x20]+$");

	private static final Pattern ADDRESS = Pattern.compile("(https?://)((?:[^/?#\\\\@]*@)?)([^/?#\\\\@]+)(.*)",
			Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

	private static final Pattern QUERY = Pattern.compile("[?#]");

	/** Reads a link as a browser would; empty where it is none that we lead to. */
	public static Optional<LinkTarget> of(String href) {
		Matcher address = ADDRESS.matcher(DROPPED.matcher(href).replaceAll(""));
		if (!address.matches()) {
			return Optional.empty();
		}
		try {
			String url = address.group(1) + escaped(address.group(2)) + host(address.group(3))
					+ escaped(slashed(address.group(4)));
			return (url.length() <= LONGEST) ? Optional.of(new LinkTarget(id(url), url)) : Optional.empty();
		}
		catch (IllegalArgumentException _) {
			return Optional.empty();
		}
	}

	private static String host(String host) {
		boolean ascii = host.chars().allMatch((character) -> character > 0x20 && character < 0x7f);
		return ascii ? escaped(host) : IDN.toASCII(host);
	}

	/**
	 * A browser takes a backslash of the path for a slash. Escaped, and before an @, it
	 * would make a password of the host, and a host of what stands behind it.
	 */
	private static String slashed(String rest) {
		Matcher query = QUERY.matcher(rest);
		int end = query.find() ? query.start() : rest.length();
		return rest.substring(0, end).replace('\\', '/') + rest.substring(end);
	}

	/** What cannot stand in a URL, as UTF-8 in per cent. */
	private static String escaped(String part) {
		StringBuilder escaped = new StringBuilder(part.length());
		for (byte octet : part.getBytes(StandardCharsets.UTF_8)) {
			boolean stands = octet > 0x20 && octet < 0x7f && "\"<>\\^`{|}".indexOf(octet) < 0;
			escaped.append(stands ? String.valueOf((char) octet) : "%%%02X".formatted(octet));
		}
		return escaped.toString();
	}

	private static UUID id(String url) {
		try {
			ByteBuffer digest = ByteBuffer
				.wrap(MessageDigest.getInstance("SHA-256").digest(url.getBytes(StandardCharsets.UTF_8)));
			return new UUID(digest.getLong(), digest.getLong());
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every JDK has SHA-256", ex);
		}
	}

}
