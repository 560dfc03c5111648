package dev.mailroom.seal;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;

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
 * Seals secrets with AES-256-GCM under the master key. What is sealed is bound to where
 * it stands: moved to another row or account, it no longer opens.
 */
@Component
public class Seal {

	private final Aead aead;

	@AccessesPartialKey
	Seal(SealSettings settings) throws GeneralSecurityException {
		AeadConfig.register();
		byte[] key = settings.key();
		AesGcmParameters parameters = AesGcmParameters.builder()
			.setKeySizeBytes(key.length)
			.setIvSizeBytes(12)
			.setTagSizeBytes(16)
			.setVariant(AesGcmParameters.Variant.NO_PREFIX)
			.build();
		AesGcmKey master = AesGcmKey.builder()
			.setParameters(parameters)
			.setKeyBytes(SecretBytes.copyFrom(key, InsecureSecretKeyAccess.get()))
			.build();
		this.aead = KeysetHandle.newBuilder()
			.addEntry(KeysetHandle.importKey(master).withFixedId(1).makePrimary())
			.build()
			.getPrimitive(RegistryConfiguration.get(), Aead.class);
	}

	/**
	 * Seals a secret.
	 * @param place where it will stand: table, row and account, as one text
	 */
	public byte[] seal(byte[] secret, String place) {
		try {
			return this.aead.encrypt(secret, place.getBytes(StandardCharsets.UTF_8));
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("Cannot seal a secret", ex);
		}
	}

	/**
	 * Opens what was sealed for the same place.
	 * @throws IllegalStateException where the master key or the place is another, or the
	 * bytes were changed
	 */
	public byte[] open(byte[] sealed, String place) {
		try {
			return this.aead.decrypt(sealed, place.getBytes(StandardCharsets.UTF_8));
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(
					"A sealed secret does not open: is MAILROOM_MASTER_KEY the one it was " + "sealed with?", ex);
		}
	}

}
