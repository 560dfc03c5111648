package dev.mailroom.secret;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.List;

import com.google.crypto.tink.AccessesPartialKey;
import com.google.crypto.tink.Aead;
import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.aead.AeadConfig;
import com.google.crypto.tink.aead.AesGcmKey;
import com.google.crypto.tink.aead.AesGcmParameters;
import com.google.crypto.tink.util.SecretBytes;

import org.springframework.stereotype.Component;

/**
 * Encrypts secrets with AES-256-GCM under the master key. Secrets that were sealed under
 * an earlier key can be opened as long as that is configured. A sealed secret is bound to
 * its place in the database: moved to another row or account, it cannot be opened.
 */
@Component
public class Seal {

	/** All keys; the current one encrypts. */
	private final Aead aead;

	private final Aead current;

	private final boolean hasEarlierKeys;

	Seal(SealSettings settings) throws GeneralSecurityException {
		AeadConfig.register();
		List<byte[]> keys = settings.keys();
		this.aead = aead(keys);
		this.current = aead(keys.subList(0, 1));
		this.hasEarlierKeys = keys.size() > 1;
	}

	/**
	 * A seal with other keys than those of the app, for a program that moves secrets.
	 * @param masterKeys keys in base64, the current one first
	 */
	public static Seal of(String masterKeys) {
		try {
			return new Seal(new SealSettings(masterKeys, null));
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("Cannot read a master key", ex);
		}
	}

	private static Aead aead(List<byte[]> keys) throws GeneralSecurityException {
		KeysetHandle.Builder handle = KeysetHandle.newBuilder();
		for (byte[] key : keys) {
			KeysetHandle.Builder.Entry entry = KeysetHandle.importKey(aesGcm(key)).withFixedId(handle.size() + 1);
			handle.addEntry((handle.size() == 0) ? entry.makePrimary() : entry);
		}
		return handle.build().getPrimitive(RegistryConfiguration.get(), Aead.class);
	}

	@AccessesPartialKey
	private static AesGcmKey aesGcm(byte[] key) throws GeneralSecurityException {
		AesGcmParameters parameters = AesGcmParameters.builder()
			.setKeySizeBytes(key.length)
			.setIvSizeBytes(12)
			.setTagSizeBytes(16)
			.setVariant(AesGcmParameters.Variant.NO_PREFIX)
			.build();
		return AesGcmKey.builder()
			.setParameters(parameters)
			.setKeyBytes(SecretBytes.copyFrom(key, InsecureSecretKeyAccess.get()))
			.build();
	}

	/**
	 * Encrypts a secret.
	 * @param place table, row and account of the secret, as one text
	 */
	public byte[] seal(byte[] secret, String place) {
		try {
			return this.aead.encrypt(secret, place.getBytes(StandardCharsets.UTF_8));
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("Cannot seal a secret", ex);
		}
	}

	/** Whether secrets may be sealed under an earlier key than the current one. */
	public boolean hasEarlierKeys() {
		return this.hasEarlierKeys;
	}

	/** Whether a secret is sealed under the current key, for this place. */
	public boolean isCurrent(byte[] sealed, String place) {
		try {
			this.current.decrypt(sealed, place.getBytes(StandardCharsets.UTF_8));
			return true;
		}
		catch (GeneralSecurityException _) {
			return false;
		}
	}

	/**
	 * Decrypts a secret.
	 * @param place the place that it was sealed for
	 * @throws IllegalStateException if the master key or the place differs, or the bytes
	 * were changed
	 */
	public byte[] open(byte[] sealed, String place) {
		try {
			return this.aead.decrypt(sealed, place.getBytes(StandardCharsets.UTF_8));
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(
					"A sealed secret cannot be opened. Check that MAILROOM_MASTER_KEY is the key it was sealed with",
					ex);
		}
	}

}
