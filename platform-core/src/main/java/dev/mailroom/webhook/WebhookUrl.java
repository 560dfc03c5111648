package dev.mailroom.webhook;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/** Which addresses an endpoint may have. */
final class WebhookUrl {

	private static final int LONGEST = 2048;

	private static final int LAST_PORT = 65535;

	private WebhookUrl() {
	}

	/**
	 * Reads an address that may be called. What a name stands for is looked at when it is
	 * called: it may change.
	 * @param loopback whether it may be on this machine, and without TLS then
	 */
	static String read(@Nullable String text, boolean loopback) {
		String url = (text != null) ? text.strip() : "";
		if (url.isEmpty()) {
			throw wrong("is required");
		}
		if (url.length() > LONGEST) {
			throw wrong("must have at most " + LONGEST + " characters");
		}
		URI uri = parsed(url);
		if (uri.getRawUserInfo() != null) {
			throw wrong("must not carry credentials");
		}
		if (uri.getRawFragment() != null) {
			throw wrong("must not have a fragment");
		}
		checkHost(uri, loopback);
		return url;
	}

	private static URI parsed(String url) {
		try {
			URI uri = new URI(url);
			if (uri.getHost() != null && uri.getPort() <= LAST_PORT && uri.getPort() != 0) {
				return uri;
			}
		}
		catch (URISyntaxException _) {
			// Refused below, like an address without a host.
		}
		throw wrong("must be an absolute URL with a host, such as https://example.com/hooks");
	}

	private static void checkHost(URI uri, boolean loopback) {
		String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
		String host = uri.getHost().toLowerCase(Locale.ROOT);
		boolean here = isLoopback(host);
		if (!scheme.equals("https") && !(scheme.equals("http") && here && loopback)) {
			throw wrong("must begin with https://");
		}
		if (here ? !loopback : !isPublic(host)) {
			throw wrong("must be a host of the public internet");
		}
	}

	private static boolean isLoopback(String host) {
		return host.equals("localhost") || host.endsWith(".localhost")
				|| literal(host).filter(InetAddress::isLoopbackAddress).isPresent();
	}

	private static boolean isPublic(String host) {
		return literal(host).map((address) -> PublicAddress.is(address) && isPlain(host, address))
			.orElseGet(() -> host.indexOf('.') > 0);
	}

	/** A number with a zero in front is octal to some and decimal to others. */
	private static boolean isPlain(String host, InetAddress address) {
		return host.startsWith("[") || host.equals(address.getHostAddress());
	}

	/** The address that a host is itself; empty where it is a name. */
	private static Optional<InetAddress> literal(String host) {
		try {
			return Optional.of(InetAddress.ofLiteral(host));
		}
		catch (IllegalArgumentException _) {
			return Optional.empty();
		}
	}

	private static RuntimeException wrong(String message) {
		return WebhookRefusals.invalid("url", message);
	}

}
