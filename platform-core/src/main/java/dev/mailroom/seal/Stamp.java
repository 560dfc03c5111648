package dev.mailroom.seal;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;

import javax.crypto.KDF;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;

import org.springframework.stereotype.Component;

/**
 * Stamps what goes out and comes back by strangers' hands (return paths, links), so that
 * what we did not issue is told from what we did: HMAC-SHA256 under a key that is derived
 * from the master key (HKDF, RFC 5869) and seals nothing.
 */
@Component
public class Stamp {

	private static final String ALGORITHM = "HmacSHA256";

	private final SecretKey key;

	Stamp(SealSettings settings) throws GeneralSecurityException {
		this.key = KDF.getInstance("HKDF-SHA256")
			.deriveKey(ALGORITHM,
					HKDFParameterSpec.ofExtract()
						.addIKM(settings.key())
						.thenExpand("mailroom stamp".getBytes(StandardCharsets.UTF_8), 32));
	}

	/**
	 * Makes the stamp of some bytes.
	 * @param purpose what the bytes are for: a stamp made for one fits no other
	 * @param length how many bytes of the stamp are kept, up to 32
	 */
	public byte[] stamp(String purpose, byte[] what, int length) {
		try {
			Mac mac = Mac.getInstance(ALGORITHM);
			mac.init(this.key);
			mac.update(purpose.getBytes(StandardCharsets.UTF_8));
			mac.update((byte) 0);
			return Arrays.copyOf(mac.doFinal(what), length);
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("Cannot stamp", ex);
		}
	}

	/** Whether a stamp is ours; compared in constant time. */
	public boolean fits(String purpose, byte[] what, byte[] stamp) {
		return stamp.length > 0 && MessageDigest.isEqual(stamp(purpose, what, stamp.length), stamp);
	}

}
