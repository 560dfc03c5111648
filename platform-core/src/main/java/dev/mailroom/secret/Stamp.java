package dev.mailroom.secret;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import javax.crypto.KDF;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/**
 * Authenticates values that leave the platform and come back, such as return paths and
 * links: HMAC-SHA256 under a key derived from the master key (HKDF, RFC 5869), which has
 * no other use.
 */
@Component
public class Stamp {

	private static final String ALGORITHM = "HmacSHA256";

	/** The current key, followed by those of earlier master keys. */
	private final List<SecretKey> keys = new ArrayList<>();

	Stamp(SealSettings settings) throws GeneralSecurityException {
		for (byte[] masterKey : settings.keys()) {
			this.keys.add(derived(masterKey, "mailroom stamp"));
		}
	}

	/**
	 * Derives a key from the current master key before the app has a context.
	 * @param use name of the only use of the derived key
	 * @return empty if no master key is configured
	 */
	public static Optional<SecretKey> key(Environment environment, String use) {
		SealSettings settings = Binder.get(environment).bindOrCreate("mailroom", SealSettings.class);
		try {
			return settings.given() ? Optional.of(derived(settings.keys().getFirst(), use)) : Optional.empty();
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("Cannot derive a key", ex);
		}
	}

	private static SecretKey derived(byte[] masterKey, String use) throws GeneralSecurityException {
		return KDF.getInstance("HKDF-SHA256")
			.deriveKey(ALGORITHM,
					HKDFParameterSpec.ofExtract()
						.addIKM(masterKey)
						.thenExpand(use.getBytes(StandardCharsets.UTF_8), 32));
	}

	/**
	 * Computes the stamp of a value.
	 * @param purpose purpose of the value; a stamp for one purpose is not valid for
	 * another
	 * @param length length of the stamp in bytes, at most 32
	 */
	public byte[] stamp(String purpose, byte[] value, int length) {
		return stamp(this.keys.getFirst(), purpose, value, length);
	}

	private static byte[] stamp(SecretKey key, String purpose, byte[] value, int length) {
		try {
			Mac mac = Mac.getInstance(ALGORITHM);
			mac.init(key);
			mac.update(purpose.getBytes(StandardCharsets.UTF_8));
			mac.update((byte) 0);
			return Arrays.copyOf(mac.doFinal(value), length);
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("Cannot compute a stamp", ex);
		}
	}

	/**
	 * Whether a stamp is valid for a value, also one of an earlier master key; compared
	 * in constant time.
	 */
	public boolean fits(String purpose, byte[] value, byte[] stamp) {
		return stamp.length > 0 && this.keys.stream()
			.anyMatch((key) -> MessageDigest.isEqual(stamp(key, purpose, value, stamp.length), stamp));
	}

}
