package dev.mailroom.worker.address;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import dev.mailroom.WrongSetting;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the checks of sending addresses.
 *
 * @param sendingAddresses addresses from which receivers see the mail; those of the name
 * in EHLO if empty
 * @param mx the name in EHLO
 * @param spfInclude name of the SPF record that lists the addresses
 * @param platformDomain domain of the platform's mail
 * @param publicUrl URL that tracked links begin with
 * @param spamhausKey key of Spamhaus' data query service; without it Spamhaus is not
 * asked
 * @param pauseListed whether a listed address of pools is paused while others are clean
 */
@ConfigurationProperties("mailroom")
record AddressSettings(@DefaultValue List<String> sendingAddresses, @DefaultValue Mx mx,
		@DefaultValue("spf.mailroom.localhost") String spfInclude,
		@DefaultValue("mailroom.localhost") String platformDomain,
		@DefaultValue("http://localhost:8080") String publicUrl, @DefaultValue("") String spamhausKey,
		boolean pauseListed) {

	private static final String VARIABLE = "MAILROOM_SENDING_ADDRESSES";

	AddressSettings {
		sendingAddresses = sendingAddresses.stream()
			.map(String::strip)
			.filter((address) -> !address.isEmpty())
			.map(AddressSettings::checked)
			.distinct()
			.toList();
		if (!spamhausKey.matches("[A-Za-z0-9]{0,63}")) {
			throw new WrongSetting("MAILROOM_SPAMHAUS_KEY", "(not shown)", "the letters and digits of the key alone");
		}
	}

	private static String checked(String text) {
		InetAddress address;
		try {
			address = InetAddress.ofLiteral(text);
		}
		catch (IllegalArgumentException _) {
			throw new WrongSetting(VARIABLE, text, "addresses of IPv4 or IPv6, separated by commas");
		}
		if (!isSeen(address)) {
			throw new WrongSetting(VARIABLE, text,
					"addresses that receivers see; behind NAT that is the public address of the router");
		}
		return address.getHostAddress();
	}

	/** Whether receivers may see the address. */
	static boolean isSeen(InetAddress address) {
		return !address.isSiteLocalAddress() && !address.isLinkLocalAddress() && !isUniqueLocal(address);
	}

	/** Addresses of RFC 4193. */
	private static boolean isUniqueLocal(InetAddress address) {
		return address instanceof Inet6Address && (address.getAddress()[0] & 0xfe) == 0xfc;
	}

	/**
	 * Whether there is anything to check. Names without a dot and below localhost are in
	 * no public zone.
	 */
	boolean isConfigured() {
		return !this.sendingAddresses.isEmpty() || isPublic(helo());
	}

	/** The name in EHLO in lower case. */
	String helo() {
		return this.mx.helo().toLowerCase(Locale.ROOT);
	}

	/** The domains of the platform that are in its mails. */
	List<String> ownDomains() {
		return Stream.of(this.platformDomain, String.valueOf(URI.create(this.publicUrl).getHost()))
			.map((name) -> name.toLowerCase(Locale.ROOT))
			.filter(AddressSettings::isPublic)
			.distinct()
			.toList();
	}

	private static boolean isPublic(String name) {
		return name.contains(".") && !name.endsWith("localhost") && !name.matches("[0-9.]+");
	}

	/** The settings without the key. */
	@Override
	public String toString() {
		return "AddressSettings[sendingAddresses=" + this.sendingAddresses + ", mx=" + this.mx + "]";
	}

	/**
	 * Settings of direct delivery.
	 *
	 * @param helo name sent with EHLO
	 */
	record Mx(@DefaultValue("localhost") String helo) {
	}

}
