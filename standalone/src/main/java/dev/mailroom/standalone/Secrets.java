package dev.mailroom.standalone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The secrets of this installation, generated at the first start and stored in one file
 * each, readable by its owner only.
 */
final class Secrets {

	private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY = PosixFilePermissions
		.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

	private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY_DIRECTORY = PosixFilePermissions
		.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

	private static final int KEY_BYTES = 32;

	private static final int PASSWORD_BYTES = 15;

	private final SecureRandom random = new SecureRandom();

	private final Path directory;

	Secrets(Path directory) {
		this.directory = directory;
	}

	/** Whether a secret was generated before. */
	boolean has(String name) {
		return Files.exists(this.directory.resolve(name));
	}

	/** Returns a password of 20 characters: letters, digits, - and _. */
	String password(String name) throws IOException {
		return stored(name, Base64.getUrlEncoder(), PASSWORD_BYTES);
	}

	/** Returns the file that contains a password. */
	Path passwordFile(String name) throws IOException {
		password(name);
		return this.directory.resolve(name);
	}

	/** Whether a secret was generated, by this or by an earlier start. */
	boolean contains(String name) {
		return Files.exists(this.directory.resolve(name));
	}

	/** Returns a key of 32 bytes in base64. */
	String key(String name) throws IOException {
		return stored(name, Base64.getEncoder(), KEY_BYTES);
	}

	/**
	 * Returns the path of a PEM file with a private key and its self-signed certificate.
	 */
	Path certificate(String name, Instant now) throws IOException {
		return stored(name, () -> SelfSigned.pem(now));
	}

	private String stored(String name, Base64.Encoder encoder, int length) throws IOException {
		Path file = stored(name, () -> {
			byte[] secret = new byte[length];
			this.random.nextBytes(secret);
			return encoder.encodeToString(secret);
		});
		return Files.readString(file).strip();
	}

	private Path stored(String name, Supplier<String> secret) throws IOException {
		Path file = this.directory.resolve(name);
		if (Files.notExists(file)) {
			Files.createDirectories(this.directory, OWNER_ONLY_DIRECTORY);
			// Written to another file and moved: a kill leaves no incomplete secret.
			Path draft = this.directory.resolve(name + ".draft");
			Files.deleteIfExists(draft);
			Files.createFile(draft, OWNER_ONLY);
			Files.writeString(draft, secret.get());
			Files.move(draft, file);
		}
		return file;
	}

}
