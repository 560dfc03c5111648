package dev.mailroom.trackingdomain;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;

import dev.mailroom.tlspolicy.StsPolicy;
import dev.mailroom.tlspolicy.StsPolicy.Mode;
import org.jspecify.annotations.Nullable;

/**
 * The MTA-STS policy (RFC 8461) of a domain, which this installation serves if the owner
 * wants it.
 *
 * @param mode none, testing or enforce
 * @param since when the mode was chosen; null for none
 * @param records the records to publish; none without a policy
 * @param state state of the name below which the policy is served, as of tracking
 * domains; null for none
 * @param error what the last check of the name found; null if all was well
 * @param obstacle why the next mode cannot be chosen now; null if it can, or if there is
 * none
 */
public record HostedPolicy(String mode, @Nullable Instant since, List<PolicyRecord> records, @Nullable String state,
		@Nullable String error, @Nullable String obstacle) {

	/** Begin of the name below which a policy is served. */
	static final String PREFIX = "mta-sts.";

	/** Short, so that a mistake ends soon. */
	private static final Duration TESTING_AGE = Duration.ofDays(1);

	private static final Duration ENFORCE_AGE = Duration.ofDays(14);

	private static final int ID_BYTES = 16;

	/** A record to publish. */
	public record PolicyRecord(String type, String host, String value) {
	}

	/**
	 * The text of a policy.
	 * @param mxHost host that receives the mail
	 */
	static String text(Mode mode, String mxHost) {
		List<String> servers = (mode == Mode.NONE) ? List.of() : List.of(mxHost);
		Duration age = (mode == Mode.ENFORCE) ? ENFORCE_AGE : TESTING_AGE;
		return String.join("\r\n", new StsPolicy("", mode, servers, age, Instant.EPOCH).lines()) + "\r\n";
	}

	/** The records to publish for a policy. */
	static List<PolicyRecord> records(String domain, Mode mode, String mxHost, String target) {
		return List.of(new PolicyRecord("CNAME", PREFIX + domain, target),
				new PolicyRecord("TXT", "_mta-sts." + domain, "v=STSv1; id=" + id(text(mode, mxHost)) + ";"));
	}

	/** The id changes with the text. */
	private static String id(String text) {
		try {
			byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII));
			return HexFormat.of().formatHex(hash, 0, ID_BYTES);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
