package dev.mailroom.system.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The program smtp-sink of Postfix: a server independent of this project. */
final class PostfixSink implements AutoCloseable {

	static final String HOST = "127.0.0.4";

	private static final Path PROGRAM = Path.of("/usr/sbin/smtp-sink");

	private final Path mails;

	/** Files already read; they are complete once all deliveries are settled. */
	private final Map<Path, Copy> read = new HashMap<>();

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

	/** Hashes of the copies by recipient, without the headers added by the sink. */
	Map<String, List<Integer>> copies() {
		try (Stream<Path> files = Files.list(this.mails)) {
			files.forEach((file) -> this.read.computeIfAbsent(file, Copy::read));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return this.read.values()
			.stream()
			.collect(Collectors.groupingBy(Copy::recipient, Collectors.mapping(Copy::hash, Collectors.toList())));
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

	/** A mail in a file of the sink. */
	private record Copy(String recipient, int hash) {

		private static final String RECIPIENT = "X-Rcpt-Args: <";

		static Copy read(Path file) {
			try {
				String mail = Files.readString(file, StandardCharsets.ISO_8859_1);
				int begin = mail.indexOf(RECIPIENT) + RECIPIENT.length();
				return new Copy(mail.substring(begin, mail.indexOf('>', begin)),
						mail.substring(mail.indexOf("\nFrom: ")).hashCode());
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
