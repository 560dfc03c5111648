package dev.mailroom;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * The network from which a request came, for limits on its attempts: an address, or a /64
 * of IPv6, with the site around it. It is part of the Reactor context. Requests from the
 * machine itself have none, because a local user can reach the database and the master
 * key as well; those that a proxy on the machine forwarded for an unknown client have
 * one.
 */
public final class ClientNetwork {

	private static final String NONE = "";

	private static final String KEY = ClientNetwork.class.getName();

	private static final String ADDRESS_KEY = KEY + ".address";

	private static final String SITE_KEY = KEY + ".site";

	/** Bytes of an IPv6 address that identify a network of one owner (a /64). */
	private static final int NETWORK_BYTES = 8;

	/**
	 * Multiple of the limit of a network that applies to a /48 of IPv6, which contains
	 * 65,536 networks and can belong to one owner.
	 */
	public static final int SITE_FACTOR = 4;

	/** Bytes of an IPv6 address that identify a site (a /48). */
	private static final int SITE_BYTES = 6;

	private ClientNetwork() {
	}

	/**
	 * Adds the network and the address of a client to the Reactor context.
	 * @param forwarded whether a proxy forwarded the request
	 */
	public static UnaryOperator<Context> context(@Nullable InetAddress client, boolean forwarded) {
		@Nullable InetAddress counted = (client != null && (forwarded || !client.isLoopbackAddress())) ? client : null;
		String network = (counted != null) ? text(counted) : NONE;
		String site = (counted instanceof Inet6Address) ? site(counted) : NONE;
		String address = (client != null) ? addressText(client) : NONE;
		return (context) -> context.put(KEY, network).put(SITE_KEY, site).put(ADDRESS_KEY, address);
	}

	/** The network of the current request; empty text if it has none. */
	public static Mono<String> current() {
		return value(KEY);
	}

	/** The IPv6 site of the current request; empty text if it has none. */
	public static Mono<String> site() {
		return value(SITE_KEY);
	}

	/** The address of the current request's client; empty text if it is unknown. */
	public static Mono<String> address() {
		return value(ADDRESS_KEY);
	}

	private static Mono<String> value(String key) {
		return Mono
			.deferContextual((context) -> Mono.just(Objects.requireNonNullElse(context.getOrDefault(key, NONE), NONE)));
	}

	/** The network of an address, as text. */
	public static String text(InetAddress client) {
		return prefix(client, NETWORK_BYTES);
	}

	/**
	 * The site of an address, as text: a /48 of IPv6, or else the address. It differs
	 * from the text of all IPv6 networks.
	 */
	public static String site(InetAddress client) {
		return prefix(client, SITE_BYTES);
	}

	private static String prefix(InetAddress client, int bytes) {
		byte[] address = client.getAddress();
		return HexFormat.of().formatHex((client instanceof Inet6Address) ? Arrays.copyOf(address, bytes) : address);
	}

	/** An address without the zone of a link-local one. */
	private static String addressText(InetAddress client) {
		return client.getHostAddress().replaceFirst("%.*", "");
	}

}
