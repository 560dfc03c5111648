package dev.mailroom.outcome;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.mailroom.seal.Stamp;

import org.springframework.stereotype.Component;

/**
 * The address to which a delivery's failures come back (VERP): it names the account and
 * the delivery, and a stamp keeps others from making one up. The same at every attempt.
 */
@Component
public class ReturnPath {

	private static final String PURPOSE = "return path";

	private static final int NAMED = 32;

	private static final int STAMP = 6;

	/** Base32 (RFC 4648, the hex alphabet): 63 of the 64 octets of a local part. */
	private static final int DIGITS = 61;

	private static final int RADIX = 32;

	/** Servers on the way may have changed the case. */
	private static final Pattern ADDRESS = Pattern.compile("<?b\\+([0-9a-v]{" + DIGITS + "})@bounce\\.[^@>]+>?",
			Pattern.CASE_INSENSITIVE);

	private final Stamp stamp;

	ReturnPath(Stamp stamp) {
		this.stamp = stamp;
	}

	/**
	 * Makes a delivery's return path.
	 * @param domain the one it is sent from
	 */
	public String of(UUID account, UUID delivery, String domain) {
		byte[] named = ByteBuffer.allocate(NAMED)
			.putLong(account.getMostSignificantBits())
			.putLong(account.getLeastSignificantBits())
			.putLong(delivery.getMostSignificantBits())
			.putLong(delivery.getLeastSignificantBits())
			.array();
		byte[] all = ByteBuffer.allocate(NAMED + STAMP).put(named).put(this.stamp.stamp(PURPOSE, named, STAMP)).array();
		String digits = new BigInteger(1, all).toString(RADIX);
		return "b+" + "0".repeat(DIGITS - digits.length()) + digits + "@bounce." + domain;
	}

	/** What an address names; empty where it is no return path of ours. */
	public Optional<Named> read(String address) {
		Matcher matcher = ADDRESS.matcher(address.strip());
		if (!matcher.matches()) {
			return Optional.empty();
		}
		BigInteger number = new BigInteger(matcher.group(1).toLowerCase(Locale.ROOT), RADIX);
		if (number.bitLength() > (NAMED + STAMP) * Byte.SIZE) {
			return Optional.empty();
		}
		ByteBuffer all = ByteBuffer.allocate(NAMED + STAMP + 1);
		byte[] bytes = number.toByteArray();
		all.position(all.capacity() - bytes.length).put(bytes).position(1);
		byte[] named = new byte[NAMED];
		byte[] stamp = new byte[STAMP];
		all.get(named).get(stamp);
		return this.stamp.fits(PURPOSE, named, stamp) ? Optional.of(named(ByteBuffer.wrap(named))) : Optional.empty();
	}

	private static Named named(ByteBuffer bytes) {
		return new Named(new UUID(bytes.getLong(), bytes.getLong()), new UUID(bytes.getLong(), bytes.getLong()));
	}

	/** The delivery that an address names. */
	public record Named(UUID account, UUID delivery) {
	}

}
