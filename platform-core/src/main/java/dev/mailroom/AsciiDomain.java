package dev.mailroom;

import java.net.IDN;
import java.util.Locale;
import java.util.Optional;

/** Domain names in ASCII (RFC 5890) and lower case. */
public final class AsciiDomain {

	/**
	 * Limit on a name that is converted, in characters. The JDK throws an undocumented
	 * exception for names of more than 1000.
	 */
	private static final int MAX_LENGTH = 254;

	private AsciiDomain() {
	}

	/**
	 * Converts a name of letters, digits and hyphens (RFC 1123); empty if it has none.
	 */
	public static Optional<String> of(String name) {
		return converted(name, IDN.USE_STD3_ASCII_RULES);
	}

	/** Converts a name that may have other ASCII characters; empty if it is invalid. */
	public static Optional<String> ofAny(String name) {
		return converted(name, 0);
	}

	private static Optional<String> converted(String name, int flags) {
		try {
			return (name.length() > MAX_LENGTH) ? Optional.empty()
					: Optional.of(IDN.toASCII(name, flags).toLowerCase(Locale.ROOT));
		}
		catch (IllegalArgumentException _) {
			return Optional.empty();
		}
	}

}
