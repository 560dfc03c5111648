package dev.mailroom.standalone;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * The directory for all data that must survive a restart. A lock file limits its use to
 * one process at a time; a version file limits it to versions of Mailroom with the same
 * layout.
 */
final class DataDirectory implements Part {

	/** Changes with the layout of the directory or the major version of PostgreSQL. */
	private static final List<String> VERSION = List.of("layout 1", "postgresql 18");

	private static final String OTHER_DIRECTORY_HINT = ", or set MAILROOM_DATA_DIR to another directory.";

	private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY = PosixFilePermissions
		.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

	private final Path root;

	private @Nullable FileChannel lock;

	DataDirectory(Path root) {
		this.root = root.toAbsolutePath().normalize();
	}

	Path root() {
		return this.root;
	}

	Path postgres() {
		return this.root.resolve("postgres");
	}

	/**
	 * Returns the directory into which the PostgreSQL binaries are unpacked. Only its
	 * owner has access to it: no other user can replace the binaries.
	 */
	Path programs() throws IOException {
		return Files.createDirectories(this.root.resolve("programs"), OWNER_ONLY);
	}

	Path postgresLog() {
		return this.root.resolve("postgres.log");
	}

	/** Returns the directory of the embedded broker. Only its owner has access to it. */
	Path kafka() throws IOException {
		return Files.createDirectories(this.root.resolve("kafka"), OWNER_ONLY);
	}

	Path secrets() {
		return this.root.resolve("secrets");
	}

	@Override
	public void start() {
		try {
			if (Files.notExists(this.root)) {
				Files.createDirectories(this.root, OWNER_ONLY);
			}
			rejectForeignFiles();
			acquireLock();
			checkVersion();
			protect();
		}
		catch (IOException ex) {
			throw new StartFailure("The data directory " + this.root
					+ " cannot be written: grant this user write permission" + OTHER_DIRECTORY_HINT, ex);
		}
	}

	/**
	 * Takes away the access of other users to each entry of the directory, whatever
	 * created it: libraries set modes of their own.
	 */
	void protect() throws IOException {
		try (Stream<Path> entries = Files.list(this.root)) {
			for (Path entry : entries.toList()) {
				Files.setPosixFilePermissions(entry,
						PosixFilePermissions.fromString(Files.isDirectory(entry) ? "rwx------" : "rw-------"));
			}
		}
	}

	private Path versionFile() {
		return this.root.resolve("version");
	}

	private Path lockFile() {
		return this.root.resolve("lock");
	}

	private void rejectForeignFiles() throws IOException {
		try (Stream<Path> entries = Files.list(this.root)) {
			List<Path> files = entries.toList();
			if (!files.isEmpty() && !files.contains(versionFile()) && !files.equals(List.of(lockFile()))) {
				throw new StartFailure("The directory " + this.root
						+ " contains files that are not Mailroom's: empty it" + OTHER_DIRECTORY_HINT);
			}
		}
	}

	private void acquireLock() throws IOException {
		FileChannel channel = FileChannel.open(lockFile(), StandardOpenOption.CREATE, StandardOpenOption.READ,
				StandardOpenOption.WRITE);
		if (!tryLock(channel)) {
			String holder = Files.readString(lockFile()).strip();
			channel.close();
			throw new StartFailure("The data directory " + this.root + " is in use by another Mailroom"
					+ (holder.isEmpty() ? "" : " (process " + holder + ")") + ": stop that one" + OTHER_DIRECTORY_HINT);
		}
		this.lock = channel;
		channel.truncate(0);
		channel.write(ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.UTF_8)));
	}

	private static boolean tryLock(FileChannel channel) throws IOException {
		try {
			FileLock lock = channel.tryLock();
			return lock != null;
		}
		catch (OverlappingFileLockException _) {
			return false;
		}
	}

	private void checkVersion() throws IOException {
		if (Files.notExists(versionFile())) {
			Files.write(versionFile(), VERSION);
			return;
		}
		List<String> version = Files.readAllLines(versionFile());
		if (!version.equals(VERSION)) {
			close();
			throw new StartFailure("The data directory " + this.root + " is of another version ("
					+ String.join(", ", version) + "; this Mailroom requires " + String.join(", ", VERSION)
					+ "): start the version of Mailroom that created it" + OTHER_DIRECTORY_HINT);
		}
	}

	@Override
	public void close() throws IOException {
		if (this.lock != null) {
			this.lock.close();
		}
	}

}
