package dev.mailroom.account;

import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.stereotype.Component;

/** Proxies whose X-Forwarded-For field names the client. */
@Component
public class TrustedProxies {

	private final Networks proxies;

	TrustedProxies(Settings settings) {
		this.proxies = settings.networks();
	}

	/**
	 * The client of a request: the last address that no trusted proxy has.
	 * @param peer the other end of the connection
	 * @param forwardedFor values of X-Forwarded-For, in order
	 */
	public InetAddress client(InetAddress peer, List<String> forwardedFor) {
		List<String> hops = forwardedFor.stream().flatMap((value) -> Stream.of(value.split(","))).toList();
		InetAddress client = peer;
		for (int i = hops.size() - 1; i >= 0 && this.proxies.contain(client); i--) {
			try {
				client = InetAddress.ofLiteral(hops.get(i).strip());
			}
			catch (IllegalArgumentException _) {
				return client;
			}
		}
		return client;
	}

	/**
	 * Settings of proxies.
	 *
	 * @param trustedProxies addresses, or networks as address/bits
	 */
	@ConfigurationProperties("mailroom.http")
	record Settings(@DefaultValue List<String> trustedProxies) {

		Networks networks() {
			return Networks.of("MAILROOM_TRUSTED_PROXIES", this.trustedProxies);
		}

	}

}
