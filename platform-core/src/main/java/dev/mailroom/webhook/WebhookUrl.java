package dev.mailroom.webhook;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/** Validation of an endpoint's URL, and of the addresses to which its host resolves. */
public final class WebhookUrl {

	private static final int MAX_LENGTH = 2048;

	private static final int MAX_PORT = 65535;

	private WebhookUrl() {
	}

	/**
	 * Validates a URL. Host names are resolved and checked with each call, because their
	 * addresses can change.
	 * @param loopback whether loopback addresses are accepted, also without TLS
	 * @throws dev.mailroom.Refused {@code Invalid request data}
	 */
	static String read(@Nullable String text, boolean loopback) {
		String url = (text != null) ? text.strip() : "";
		if (url.isEmpty()) {
			throw invalid("is required");
		}
		if (url.length() > MAX_LENGTH) {
			throw invalid("must have at most " + MAX_LENGTH + " characters");
		}
		URI uri = parse(url);
		if (uri.getRawUserInfo() != null) {
			throw invalid("must not carry credentials");
		}
		if (uri.getRawFragment() != null) {
			throw invalid("must not have a fragment");
		}
		checkHost(uri, loopback);
		return url;
	}

	/**
	 * Addresses of a host that needs no DNS: an address, or a loopback name of RFC 6761.
	 * Empty for all other names.
	 * @param loopback whether loopback addresses are called
	 */
	public static List<InetAddress> addresses(String host, boolean loopback) {
		Optional<InetAddress> literal = literal(host);
		if (literal.isPresent()) {
			return List.of(literal.get());
		}
		return (loopback && isLoopback(host.toLowerCase(Locale.ROOT)))
				? List.of(InetAddress.ofLiteral("127.0.0.1"), InetAddress.ofLiteral("::1")) : List.of();
	}

	/**
	 * Whether a host with these addresses may be called: all of them are public, or it is
	 * a loopback host.
	 * @param loopback whether loopback addresses are called
	 */
	public static boolean mayCall(String host, List<InetAddress> addresses, boolean loopback) {
		return !addresses.isEmpty() && (addresses.stream().allMatch(PublicAddress::is)
				|| (loopback && isLoopback(host.toLowerCase(Locale.ROOT))
						&& addresses.stream().allMatch(InetAddress::isLoopbackAddress)));
	}

	private static URI parse(String url) {
		try {
			URI uri = new URI(url);
			if (uri.getHost() != null && uri.getPort() <= MAX_PORT && uri.getPort() != 0) {
				return uri;
			}
		}
		catch (URISyntaxException _) {
			// Refused below, like a URL without a host.
		}
		throw invalid("must be an absolute URL with a host, such as https://example.com/hooks");
	}

	private static void checkHost(URI uri, boolean loopback) {
		String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
		String host = uri.getHost().toLowerCase(Locale.ROOT);
		boolean local = isLoopback(host);
		if (!scheme.equals("https") && !(scheme.equals("http") && local && loopback)) {
			throw invalid("must begin with https://");
		}
		if (local ? !loopback : !isPublic(host)) {
			throw invalid("must be a host of the public internet");
		}
	}

	private static boolean isLoopback(String host) {
		return host.equals("localhost") || host.endsWith(".localhost")
				|| literal(host).filter(InetAddress::isLoopbackAddress).isPresent();
	}

	private static boolean isPublic(String host) {
		return literal(host).map((address) -> PublicAddress.is(address) && isUnambiguous(host, address))
			.orElseGet(() -> host.indexOf('.') > 0);
	}

	/**
	 * Whether the host has no leading zeros, which some parsers read as octal numbers.
	 */
	private static boolean isUnambiguous(String host, InetAddress address) {
		return host.startsWith("[") || host.equals(address.getHostAddress());
	}

	/** The host as an IP address literal; empty for a name. */
	private static Optional<InetAddress> literal(String host) {
		try {
			return Optional.of(InetAddress.ofLiteral(host));
		}
		catch (IllegalArgumentException _) {
			return Optional.empty();
		}
	}

	private static RuntimeException invalid(String message) {
		return WebhookRefusals.invalid("url", message);
	}

}
