package dev.mailroom.account;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import dev.mailroom.WrongSetting;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.stereotype.Component;

/** Proxies whose X-Forwarded-For field names the client. */
@Component
public class TrustedProxies {

	private final List<String> proxies;

	TrustedProxies(Settings settings) {
		this.proxies = settings.trustedProxies();
	}

	/**
	 * The client of a request: the last address that no trusted proxy has.
	 * @param peer the other end of the connection
	 * @param forwardedFor values of X-Forwarded-For, in order
	 */
	public InetAddress client(InetAddress peer, List<String> forwardedFor) {
		List<String> hops = forwardedFor.stream().flatMap((value) -> Stream.of(value.split(","))).toList();
		InetAddress client = peer;
		for (int i = hops.size() - 1; i >= 0 && isTrusted(client); i--) {
			try {
				client = InetAddress.ofLiteral(hops.get(i).strip());
			}
			catch (IllegalArgumentException _) {
				return client;
			}
		}
		return client;
	}

	private boolean isTrusted(InetAddress address) {
		return this.proxies.stream().anyMatch((proxy) -> contains(proxy, address.getAddress()));
	}

	private static boolean contains(String proxy, byte[] address) {
		String[] parts = proxy.split("/", 2);
		byte[] network = InetAddress.ofLiteral(parts[0]).getAddress();
		int bits = (parts.length == 2) ? Integer.parseInt(parts[1]) : network.length * Byte.SIZE;
		int whole = bits / Byte.SIZE;
		int mask = 0xff00 >> (bits % Byte.SIZE) & 0xff;
		return network.length == address.length && Arrays.equals(network, 0, whole, address, 0, whole)
				&& (mask == 0 || (network[whole] & mask) == (address[whole] & mask));
	}

	/**
	 * Settings of proxies.
	 *
	 * @param trustedProxies addresses, or networks as address/bits
	 */
	@ConfigurationProperties("mailroom.http")
	record Settings(@DefaultValue List<String> trustedProxies) {

		Settings {
			trustedProxies = trustedProxies.stream().map(String::strip).filter((proxy) -> !proxy.isEmpty()).toList();
			for (String proxy : trustedProxies) {
				check(proxy);
			}
		}

		private static void check(String proxy) {
			try {
				contains(proxy, InetAddress.ofLiteral(proxy.split("/", 2)[0]).getAddress());
			}
			catch (IllegalArgumentException | IndexOutOfBoundsException _) {
				throw new WrongSetting("MAILROOM_TRUSTED_PROXIES", proxy,
						"an address, or a network as address/bits; several are separated by commas");
			}
		}

	}

}
