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
 * Authenticates values that leave the platform and come back, such as return paths and
 * links: HMAC-SHA256 under a key derived from the master key (HKDF, RFC 5869), which has
 * no other use.
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
	 * Computes the stamp of a value.
	 * @param purpose purpose of the value; a stamp for one purpose is not valid for
	 * another
	 * @param length length of the stamp in bytes, at most 32
	 */
	public byte[] stamp(String purpose, byte[] value, int length) {
		try {
			Mac mac = Mac.getInstance(ALGORITHM);
			mac.init(this.key);
			mac.update(purpose.getBytes(StandardCharsets.UTF_8));
			mac.update((byte) 0);
			return Arrays.copyOf(mac.doFinal(value), length);
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("Cannot compute a stamp", ex);
		}
	}

	/** Whether a stamp is valid for a value; compared in constant time. */
	public boolean fits(String purpose, byte[] value, byte[] stamp) {
		return stamp.length > 0 && MessageDigest.isEqual(stamp(purpose, value, stamp.length), stamp);
	}

}
