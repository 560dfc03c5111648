package dev.mailroom.standalone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.nio.file.attribute.PosixFilePermissions;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class DataDirectoryTest {

	@TempDir
	private Path temporary;

	@Test
	void isCreatedIfAbsent() throws IOException {
		Path root = this.temporary.resolve("a/b");
		try (DataDirectory data = new DataDirectory(root)) {
			data.start();
			assertThat(Files.readAllLines(root.resolve("version"))).containsExactly("layout 1", "postgresql 18");
		}
	}

	@Test
	void otherUsersHaveNoAccessToItsEntriesAfterAnyStart() throws IOException {
		try (DataDirectory data = new DataDirectory(this.temporary)) {
			data.start();
			Files.createDirectories(data.programs());
			Files.setPosixFilePermissions(data.programs(), PosixFilePermissions.fromString("rwx-w--w-"));
			Files.createFile(data.postgresLog());
			Files.setPosixFilePermissions(data.postgresLog(), PosixFilePermissions.fromString("rw-r--r--"));
		}
		try (DataDirectory data = new DataDirectory(this.temporary)) {
			data.start();
			for (Path entry : List.of(data.kafka(), data.programs())) {
				assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(entry))).isEqualTo("rwx------");
			}
			assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.postgresLog())))
				.isEqualTo("rw-------");
		}
	}

	@Test
	void isOpenedAgainWithItsFilesOnceItIsClosed() throws IOException {
		Path version = this.temporary.resolve("version");
		try (DataDirectory first = new DataDirectory(this.temporary)) {
			first.start();
		}
		String written = Files.readString(version);
		try (DataDirectory second = new DataDirectory(this.temporary)) {
			second.start();
			assertThat(version).hasContent(written);
		}
	}

	@Test
	void isLockedByOneProcess() throws IOException {
		try (DataDirectory first = new DataDirectory(this.temporary)) {
			first.start();
			assertRefused("in use by another Mailroom (process " + ProcessHandle.current().pid() + ")");
		}
	}

	@Test
	void isRefusedIfOfAnotherVersion() throws IOException {
		Files.writeString(this.temporary.resolve("version"), "layout 1\npostgresql 17\n");
		assertRefused("of another version (layout 1, postgresql 17; this Mailroom requires layout 1, postgresql 18)");
	}

	@Test
	void isRefusedIfItContainsForeignFiles() throws IOException {
		Files.writeString(this.temporary.resolve("thesis.tex"), "");
		assertRefused("contains files that are not Mailroom's");
	}

	@Test
	void isRefusedIfItCannotBeCreated() throws IOException {
		Path file = Files.createFile(this.temporary.resolve("file"));
		assertThatExceptionOfType(StartFailure.class).isThrownBy(() -> new DataDirectory(file.resolve("data")).start())
			.withMessageContaining("cannot be written")
			.withMessageContaining("MAILROOM_DATA_DIR");
	}

	@Test
	void keepsSecretsReadableByTheOwnerOnly() throws IOException {
		Secrets secrets = new Secrets(this.temporary.resolve("secrets"));
		String password = secrets.password("operator");
		assertThat(password).hasSize(20);
		assertThat(secrets.password("operator")).isEqualTo(password);
		assertThat(secrets.password("another")).isNotEqualTo(password);
		assertThat(PosixFilePermissions
			.toString(Files.getPosixFilePermissions(this.temporary.resolve("secrets/operator"))))
			.isEqualTo("rw-------");
	}

	private void assertRefused(String reason) {
		assertThatExceptionOfType(StartFailure.class).isThrownBy(() -> new DataDirectory(this.temporary).start())
			.withMessageContaining(reason)
			.withMessageContaining("MAILROOM_DATA_DIR");
	}

}
