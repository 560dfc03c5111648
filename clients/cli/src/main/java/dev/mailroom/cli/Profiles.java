package dev.mailroom.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.mailroom.sdk.Json;
import org.jspecify.annotations.Nullable;

/**
 * Profiles of {@code config.toml}: an address and where its key is. Keys are in the
 * keychain of the system or in files of their own, never in this one.
 */
final class Profiles {

	static final String FILE = "file";

	static final String KEYCHAIN = "keychain";

	static final String DEFAULT = "default";

	private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,40}");

	private static final Pattern TABLE = Pattern.compile("\\[profiles\\.([A-Za-z0-9_-]{1,40})]");

	private static final Pattern LINE = Pattern.compile("([a-z_]+) *= *(\".*\")");

	private final Path folder;

	private final Path file;

	private final Keychain keychain;

	Profiles(Program program) {
		this.folder = program.folder("XDG_CONFIG_HOME", ".config");
		this.file = this.folder.resolve("config.toml");
		this.keychain = new Keychain();
	}

	Keychain keychain() {
		return this.keychain;
	}

	static String name(String name) {
		if (!NAME.matcher(name).matches()) {
			throw Failure.usage("The name of a profile has at most 40 letters, digits, _ and -");
		}
		return name;
	}

	List<Profile> all() {
		List<Profile> profiles = new ArrayList<>();
		tables().forEach((name, fields) -> profiles.add(new Profile(name, fields.getOrDefault("url", ""),
				fields.getOrDefault("store", FILE), fields.getOrDefault("key", ""), fields.get("expires_at"))));
		return profiles;
	}

	Optional<Profile> find(String name) {
		return all().stream().filter((profile) -> profile.name().equals(name)).findFirst();
	}

	/** Stores a profile, with its key in the place that it names. */
	void save(Profile profile, String key) {
		if (profile.store().equals(KEYCHAIN)) {
			this.keychain.store(profile.name(), key);
		}
		else {
			write(keyFile(profile), key + "\n");
		}
		Map<String, Map<String, String>> tables = tables();
		tables.put(profile.name(), profile.fields());
		write(tables);
	}

	void remove(Profile profile) {
		if (profile.store().equals(KEYCHAIN)) {
			this.keychain.remove(profile.name());
		}
		Map<String, Map<String, String>> tables = tables();
		tables.remove(profile.name());
		try {
			Files.deleteIfExists(keyFile(profile));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		write(tables);
	}

	String key(Profile profile) {
		return profile.store().equals(KEYCHAIN) ? this.keychain.find(profile.name()) : read(keyFile(profile)).strip();
	}

	private Path keyFile(Profile profile) {
		return this.folder.resolve("keys").resolve(profile.name());
	}

	private Map<String, Map<String, String>> tables() {
		Map<String, Map<String, String>> tables = new LinkedHashMap<>();
		Map<String, String> table = new LinkedHashMap<>();
		int number = 0;
		for (String line : (Files.exists(this.file) ? read(this.file) : "").lines().map(String::strip).toList()) {
			number++;
			Matcher head = TABLE.matcher(line);
			Matcher field = LINE.matcher(line);
			if (head.matches()) {
				table = tables.computeIfAbsent(head.group(1), (name) -> new LinkedHashMap<>());
			}
			else if (field.matches()) {
				table.put(field.group(1), text(field.group(2), number));
			}
			else if (!line.isEmpty() && !line.startsWith("#")) {
				throw unreadable(number);
			}
		}
		return tables;
	}

	/** The strings that are written here are strings of JSON as well. */
	private String text(String quoted, int number) {
		try {
			return String.valueOf(Json.read(quoted));
		}
		catch (IllegalArgumentException ex) {
			throw unreadable(number);
		}
	}

	private Failure unreadable(int number) {
		return Failure.usage(this.file + ", line " + number + ": expected [profiles.NAME] or name = \"text\"");
	}

	private void write(Map<String, Map<String, String>> tables) {
		StringBuilder text = new StringBuilder();
		tables.forEach((name, fields) -> {
			text.append("[profiles.").append(name).append("]\n");
			fields.forEach((field, value) -> text.append(field).append(" = ").append(Json.write(value)).append('\n'));
			text.append('\n');
		});
		write(this.file, text.toString());
	}

	static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (NoSuchFileException ex) {
			throw new Failure(Failure.NOT_SIGNED_IN, "not_signed_in",
					"The file " + file + " is missing: sign in again");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Writes a file that nobody else can read, as a whole or not at all. */
	static void write(Path file, String text) {
		try {
			Path folder = file.toAbsolutePath().getParent();
			Files.createDirectories(folder, attributes("rwx------"));
			Path part = Files.createTempFile(folder, ".", ".part", attributes("rw-------"));
			Files.write(part, text.getBytes(StandardCharsets.UTF_8));
			Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static FileAttribute<?>[] attributes(String permissions) {
		boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
		return posix
				? new FileAttribute<?>[] {
						PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions)) }
				: new FileAttribute<?>[0];
	}

	/**
	 * An address and its key.
	 *
	 * @param url the address of the API
	 * @param prefix the public part of the key
	 */
	record Profile(String name, String url, String store, String prefix, @Nullable String expiresAt) {

		Map<String, String> fields() {
			Map<String, String> fields = new LinkedHashMap<>();
			fields.put("url", this.url);
			fields.put("store", this.store);
			fields.put("key", this.prefix);
			if (this.expiresAt != null) {
				fields.put("expires_at", this.expiresAt);
			}
			return fields;
		}

	}

}
