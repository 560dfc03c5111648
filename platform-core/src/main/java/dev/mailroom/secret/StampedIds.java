package dev.mailroom.secret;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

import org.springframework.stereotype.Component;

/**
 * An account and an id of its own as digits in local parts of addresses and in fields of
 * mails, protected against forgery by a MAC.
 */
@Component
public class StampedIds {

	/**
	 * Number of digits in base32 (RFC 4648, the hex alphabet); local parts have at most
	 * 64 octets.
	 */
	public static final int DIGITS = 61;

	private static final int ID_BYTES = 32;

	private static final int STAMP_BYTES = 6;

	private static final int RADIX = 32;

	private final Stamp stamp;

	public StampedIds(Stamp stamp) {
		this.stamp = stamp;
	}

	/**
	 * The digits of two ids.
	 * @param purpose what they are for; digits for one purpose are not valid for another
	 */
	public String write(String purpose, UUID account, UUID id) {
		byte[] ids = ByteBuffer.allocate(ID_BYTES)
			.putLong(account.getMostSignificantBits())
			.putLong(account.getLeastSignificantBits())
			.putLong(id.getMostSignificantBits())
			.putLong(id.getLeastSignificantBits())
			.array();
		byte[] all = ByteBuffer.allocate(ID_BYTES + STAMP_BYTES)
			.put(ids)
			.put(this.stamp.stamp(purpose, ids, STAMP_BYTES))
			.array();
		String digits = new BigInteger(1, all).toString(RADIX);
		return "0".repeat(DIGITS - digits.length()) + digits;
	}

	/**
	 * The ids of digits; empty if they are forged.
	 * @param digits 61 digits in any case, because intermediate servers may change it
	 */
	public Optional<Ids> read(String purpose, String digits) {
		BigInteger number = new BigInteger(digits.toLowerCase(Locale.ROOT), RADIX);
		if (number.bitLength() > (ID_BYTES + STAMP_BYTES) * Byte.SIZE) {
			return Optional.empty();
		}
		ByteBuffer all = ByteBuffer.allocate(ID_BYTES + STAMP_BYTES + 1);
		byte[] bytes = number.toByteArray();
		all.position(all.capacity() - bytes.length).put(bytes).position(1);
		byte[] ids = new byte[ID_BYTES];
		byte[] mac = new byte[STAMP_BYTES];
		all.get(ids).get(mac);
		return this.stamp.fits(purpose, ids, mac) ? Optional.of(ids(ByteBuffer.wrap(ids))) : Optional.empty();
	}

	private static Ids ids(ByteBuffer bytes) {
		return new Ids(new UUID(bytes.getLong(), bytes.getLong()), new UUID(bytes.getLong(), bytes.getLong()));
	}

	/** An account and an id of its own. */
	public record Ids(UUID account, UUID id) {
	}

}
