package dev.mailroom.secret;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;

import dev.mailroom.WrongSetting;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Source of the master key. Earlier keys may follow it, separated by commas or white
 * space: they only open the secrets that were sealed under them.
 *
 * @param masterKey keys of 32 bytes in base64
 * @param masterKeyFile file with the keys; used if none is given
 */
@ConfigurationProperties("mailroom")
record SealSettings(@Nullable String masterKey, @Nullable Path masterKeyFile) {

	private static final int KEY_BYTES = 32;

	/** Whether a key or a file with one is configured. */
	boolean given() {
		return (this.masterKey != null && !this.masterKey.isBlank())
				|| (this.masterKeyFile != null && !this.masterKeyFile.toString().isBlank());
	}

	/** The current key, followed by earlier ones. */
	List<byte[]> keys() {
		return Stream.of(text().strip().split("[\\s,]+")).map(SealSettings::key).toList();
	}

	private static byte[] key(String text) {
		byte[] key = decode(text);
		if (key.length != KEY_BYTES) {
			throw new WrongSetting("The master key has " + key.length + " bytes instead of " + KEY_BYTES
					+ ". Generate one with: openssl rand -base64 32");
		}
		return key;
	}

	private static byte[] decode(String text) {
		try {
			return Base64.getDecoder().decode(text.strip());
		}
		catch (IllegalArgumentException _) {
			throw new WrongSetting("The master key is not valid base64. Generate one with: openssl rand -base64 32");
		}
	}

	private String text() {
		if (this.masterKey != null && !this.masterKey.isBlank()) {
			return this.masterKey;
		}
		if (this.masterKeyFile == null || this.masterKeyFile.toString().isBlank()) {
			throw new WrongSetting("No master key: set MAILROOM_MASTER_KEY or MAILROOM_MASTER_KEY_FILE to 32 "
					+ "bytes in base64, the same for every app. Generate one with: openssl rand -base64 32");
		}
		try {
			return Files.readString(this.masterKeyFile);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The master key file " + this.masterKeyFile + " cannot be read", ex);
		}
	}
}
