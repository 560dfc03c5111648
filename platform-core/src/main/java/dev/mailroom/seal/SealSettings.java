package dev.mailroom.seal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Where the master key comes from.
 *
 * @param masterKey 32 bytes in base64
 * @param masterKeyFile a file that holds the same; heeded where no key is given
 */
@ConfigurationProperties("mailroom")
record SealSettings(@Nullable String masterKey, @Nullable Path masterKeyFile) {

	private static final int KEY_BYTES = 32;

	byte[] key() {
		byte[] key = decode(text());
		if (key.length != KEY_BYTES) {
			throw new IllegalStateException("The master key has " + key.length + " bytes in place of " + KEY_BYTES
					+ ". Make one with: openssl rand -base64 32");
		}
		return key;
	}

	private static byte[] decode(String text) {
		try {
			return Base64.getDecoder().decode(text.strip());
		}
		catch (IllegalArgumentException _) {
			throw new IllegalStateException("The master key is no base64. Make one with: openssl rand -base64 32");
		}
	}

	private String text() {
		if (this.masterKey != null && !this.masterKey.isBlank()) {
			return this.masterKey;
		}
		if (this.masterKeyFile == null || this.masterKeyFile.toString().isBlank()) {
			throw new IllegalStateException("No master key: set MAILROOM_MASTER_KEY or MAILROOM_MASTER_KEY_FILE to 32 "
					+ "bytes in base64, the same for every app. Make one with: openssl rand -base64 32");
		}
		try {
			return Files.readString(this.masterKeyFile);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The master key's file " + this.masterKeyFile + " cannot be read", ex);
		}
	}
}
