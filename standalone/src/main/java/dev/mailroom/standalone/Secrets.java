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
 * What only this installation knows: made at its first start and kept in one file each
 * that nobody but its owner can read.
 */
final class Secrets {

	private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY = PosixFilePermissions
		.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

	private static final FileAttribute<Set<PosixFilePermission>> OWNERS_DIRECTORY = PosixFilePermissions
		.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

	private static final int KEY_BYTES = 32;

	private static final int PASSWORD_BYTES = 15;

	private final SecureRandom random = new SecureRandom();

	private final Path directory;

	Secrets(Path directory) {
		this.directory = directory;
	}

	/** A password of 20 letters, digits, - and _. */
	String password(String name) throws IOException {
		return kept(name, Base64.getUrlEncoder(), PASSWORD_BYTES);
	}

	/** 32 bytes in base64. */
	String key(String name) throws IOException {
		return kept(name, Base64.getEncoder(), KEY_BYTES);
	}

	/** A private key and its certificate (PEM): where they are. */
	Path certificate(String name, Instant now) throws IOException {
		return kept(name, () -> SelfSigned.pem(now));
	}

	private String kept(String name, Base64.Encoder encoder, int bytes) throws IOException {
		Path file = kept(name, () -> {
			byte[] secret = new byte[bytes];
			this.random.nextBytes(secret);
			return encoder.encodeToString(secret);
		});
		return Files.readString(file).strip();
	}

	private Path kept(String name, Supplier<String> secret) throws IOException {
		Path file = this.directory.resolve(name);
		if (Files.notExists(file)) {
			Files.createDirectories(this.directory, OWNERS_DIRECTORY);
			// Written aside and moved: a kill in between leaves no half a secret.
			Path draft = this.directory.resolve(name + ".draft");
			Files.deleteIfExists(draft);
			Files.createFile(draft, OWNER_ONLY);
			Files.writeString(draft, secret.get());
			Files.move(draft, file);
		}
		return file;
	}

}
