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
 * The directory that holds everything which must outlive a restart. One process at a time
 * has it, and only a version of Mailroom that knows its layout.
 */
final class DataDirectory implements Part {

	/** Changes with the layout of the directory or the major version of PostgreSQL. */
	private static final List<String> STAMP = List.of("layout 1", "postgresql 18");

	private static final String OTHERWISE = ", or set MAILROOM_DATA_DIR to another directory.";

	private static final FileAttribute<Set<PosixFilePermission>> OWNERS_ALONE = PosixFilePermissions
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
	 * Where PostgreSQL's programs are unpacked. Nobody else may write above them, or they
	 * would run somebody else's.
	 */
	Path programs() throws IOException {
		return Files.createDirectories(this.root.resolve("programs"), OWNERS_ALONE);
	}

	Path postgresLog() {
		return this.root.resolve("postgres.log");
	}

	Path kafka() {
		return this.root.resolve("kafka");
	}

	Path secrets() {
		return this.root.resolve("secrets");
	}

	@Override
	public void start() {
		try {
			if (Files.notExists(this.root)) {
				Files.createDirectories(this.root, OWNERS_ALONE);
			}
			refuseForeign();
			take();
			stamp();
		}
		catch (IOException ex) {
			throw new StartFailure(
					"The data directory " + this.root + " cannot be written: give this user the right to" + OTHERWISE,
					ex);
		}
	}

	private Path versionFile() {
		return this.root.resolve("version");
	}

	private Path lockFile() {
		return this.root.resolve("lock");
	}

	private void refuseForeign() throws IOException {
		try (Stream<Path> entries = Files.list(this.root)) {
			List<Path> there = entries.toList();
			if (!there.isEmpty() && !there.contains(versionFile()) && !there.equals(List.of(lockFile()))) {
				throw new StartFailure(
						"The directory " + this.root + " holds something that is not Mailroom's: empty it" + OTHERWISE);
			}
		}
	}

	private void take() throws IOException {
		FileChannel channel = FileChannel.open(lockFile(), StandardOpenOption.CREATE, StandardOpenOption.READ,
				StandardOpenOption.WRITE);
		if (!locked(channel)) {
			String holder = Files.readString(lockFile()).strip();
			channel.close();
			throw new StartFailure("The data directory " + this.root + " is in use by another Mailroom"
					+ (holder.isEmpty() ? "" : " (process " + holder + ")") + ": stop that one" + OTHERWISE);
		}
		this.lock = channel;
		channel.truncate(0);
		channel.write(ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.UTF_8)));
	}

	private static boolean locked(FileChannel channel) throws IOException {
		try {
			FileLock lock = channel.tryLock();
			return lock != null;
		}
		catch (OverlappingFileLockException _) {
			return false;
		}
	}

	private void stamp() throws IOException {
		if (Files.notExists(versionFile())) {
			Files.write(versionFile(), STAMP);
			return;
		}
		List<String> found = Files.readAllLines(versionFile());
		if (!found.equals(STAMP)) {
			close();
			throw new StartFailure("The data directory " + this.root + " is of another version ("
					+ String.join(", ", found) + "; this Mailroom needs " + String.join(", ", STAMP)
					+ "): start the Mailroom that made it" + OTHERWISE);
		}
	}

	@Override
	public void close() throws IOException {
		if (this.lock != null) {
			this.lock.close();
		}
	}

}
