package dev.mailroom.site;

import java.util.Collection;
import java.util.List;

import dev.mailroom.secret.Sha256;

/**
 * Mail servers that share limits: those of a provider, or the MX hosts of a domain.
 *
 * @param key name of the provider's profile, the hosts, or the domain
 * @param profile name of the profile that applies
 * @param servers key of the hosts: domains with the same one may share sessions
 */
public record Site(String key, String profile, String servers) {

	private static final int MAX_KEY = 200;

	/** The site of a domain whose servers are unknown. */
	public static Site of(String domain) {
		return new Site(domain, Profiles.OTHER, domain);
	}

	/**
	 * A name for a set of hosts: the hosts in order, or a digest if they are too long.
	 */
	static String key(Collection<String> hosts) {
		List<String> sorted = hosts.stream().sorted().distinct().toList();
		String joined = String.join(" ", sorted);
		return (joined.length() <= MAX_KEY) ? joined
				: sorted.getFirst() + " and others " + Sha256.hex(joined).substring(0, 16);
	}

}
