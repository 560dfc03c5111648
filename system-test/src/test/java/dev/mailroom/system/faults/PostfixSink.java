package dev.mailroom.system.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Postfix's own sink, as Debian has it: a server that others wrote. */
final class PostfixSink implements AutoCloseable {

	static final String HOST = "127.0.0.4";

	private static final Path PROGRAM = Path.of("/usr/sbin/smtp-sink");

	private final Path mails;

	private final Process process;

	PostfixSink(Path directory, int port) throws IOException {
		this.mails = Files.createDirectory(directory.resolve("postfix"));
		Files.setPosixFilePermissions(this.mails, PosixFilePermissions.fromString("rwxrwxrwx"));
		Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
		List<String> command = new ArrayList<>(List.of(PROGRAM.toString()));
		if (System.getProperty("user.name").equals("root")) {
			command.addAll(List.of("-u", "nobody"));
		}
		command.addAll(List.of("-d", this.mails.resolve("mail.").toString(), HOST + ":" + port, "100"));
		this.process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(Redirect.DISCARD).start();
	}

	static boolean isInstalled() {
		return Files.isExecutable(PROGRAM);
	}

	/** The copies of this recipient's mail, without what the sink has put before them. */
	List<Integer> copies(String recipient) {
		try (Stream<Path> files = Files.list(this.mails)) {
			return files.map(PostfixSink::text)
				.filter((mail) -> mail.contains("X-Rcpt-Args: <" + recipient + ">"))
				.map((mail) -> mail.substring(mail.indexOf("\nFrom: ")).hashCode())
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String text(Path file) {
		try {
			return Files.readString(file, StandardCharsets.ISO_8859_1);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

}
