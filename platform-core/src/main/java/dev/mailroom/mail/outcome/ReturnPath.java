package dev.mailroom.mail.outcome;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.mailroom.secret.Stamp;

import org.springframework.stereotype.Component;

/**
 * Envelope senders that identify the account and the delivery (VERP), protected against
 * forgery by a MAC. The address is the same at every attempt. The same is done for the
 * field CFBL-Feedback-ID (RFC 9477), with a MAC of its own: readers of a mail see both,
 * and neither may replace the other.
 */
@Component
public class ReturnPath {

	private static final String PURPOSE = "return path";

	private static final String FEEDBACK_PURPOSE = "feedback id";

	private static final int ID_BYTES = 32;

	private static final int STAMP_BYTES = 6;

	/** Base32 (RFC 4648, the hex alphabet): 63 of the 64 octets of a local part. */
	private static final int DIGITS = 61;

	private static final int RADIX = 32;

	/** Intermediate servers may change the case. */
	private static final Pattern ADDRESS = Pattern.compile("<?b\\+([0-9a-v]{" + DIGITS + "})@bounce\\.[^@>]+>?",
			Pattern.CASE_INSENSITIVE);

	private static final Pattern FEEDBACK_ID = Pattern.compile("[0-9a-v]{" + DIGITS + "}", Pattern.CASE_INSENSITIVE);

	private static final Pattern WHITE_SPACE = Pattern.compile("\\s+");

	private final Stamp stamp;

	ReturnPath(Stamp stamp) {
		this.stamp = stamp;
	}

	/**
	 * The return path of a delivery.
	 * @param domain the sending domain
	 */
	public String of(UUID account, UUID delivery, String domain) {
		return "b+" + digits(PURPOSE, account, delivery) + "@bounce." + domain;
	}

	/** The value of CFBL-Feedback-ID of a delivery. */
	public String feedbackId(UUID account, UUID delivery) {
		return digits(FEEDBACK_PURPOSE, account, delivery);
	}

	private String digits(String purpose, UUID account, UUID delivery) {
		byte[] ids = ByteBuffer.allocate(ID_BYTES)
			.putLong(account.getMostSignificantBits())
			.putLong(account.getLeastSignificantBits())
			.putLong(delivery.getMostSignificantBits())
			.putLong(delivery.getLeastSignificantBits())
			.array();
		byte[] all = ByteBuffer.allocate(ID_BYTES + STAMP_BYTES)
			.put(ids)
			.put(this.stamp.stamp(purpose, ids, STAMP_BYTES))
			.array();
		String digits = new BigInteger(1, all).toString(RADIX);
		return "0".repeat(DIGITS - digits.length()) + digits;
	}

	/** The delivery of a return path; empty for any other address. */
	public Optional<Named> read(String address) {
		Matcher matcher = ADDRESS.matcher(address.strip());
		return matcher.matches() ? read(PURPOSE, matcher.group(1)) : Optional.empty();
	}

	/** The delivery of a CFBL-Feedback-ID; white space in it has no meaning. */
	public Optional<Named> readFeedbackId(String value) {
		return isFeedbackId(value) ? read(FEEDBACK_PURPOSE, WHITE_SPACE.matcher(value).replaceAll(""))
				: Optional.empty();
	}

	/** Whether a value has the form of a CFBL-Feedback-ID, with a valid stamp or not. */
	public static boolean isFeedbackId(String value) {
		return FEEDBACK_ID.matcher(WHITE_SPACE.matcher(value).replaceAll("")).matches();
	}

	private Optional<Named> read(String purpose, String digits) {
		BigInteger number = new BigInteger(digits.toLowerCase(Locale.ROOT), RADIX);
		if (number.bitLength() > (ID_BYTES + STAMP_BYTES) * Byte.SIZE) {
			return Optional.empty();
		}
		ByteBuffer all = ByteBuffer.allocate(ID_BYTES + STAMP_BYTES + 1);
		byte[] bytes = number.toByteArray();
		all.position(all.capacity() - bytes.length).put(bytes).position(1);
		byte[] ids = new byte[ID_BYTES];
		byte[] stamp = new byte[STAMP_BYTES];
		all.get(ids).get(stamp);
		return this.stamp.fits(purpose, ids, stamp) ? Optional.of(named(ByteBuffer.wrap(ids))) : Optional.empty();
	}

	private static Named named(ByteBuffer bytes) {
		return new Named(new UUID(bytes.getLong(), bytes.getLong()), new UUID(bytes.getLong(), bytes.getLong()));
	}

	/** The delivery of a return path. */
	public record Named(UUID account, UUID delivery) {
	}

}
