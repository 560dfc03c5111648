package dev.mailroom.system;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Third-party programs that parse and verify mail. */
final class Readers {

	private static final Path OPEN_DKIM = Path.of(System.getProperty("opendkim", "/usr/sbin/opendkim"));

	private Readers() {
	}

	/** A message as parsed by postal-mime. */
	static JsonNode read(Path directory, String message) throws IOException {
		Path mail = Files.writeString(directory.resolve("read.eml"), message, StandardCharsets.UTF_8);
		return new JsonMapper()
			.readTree(output(new ProcessBuilder("node", "src/test/clients/read.mjs", mail.toString())));
	}

	static boolean hasOpenDkim() {
		return Files.isExecutable(OPEN_DKIM);
	}

	/** Output of OpenDKIM's verification of a message. */
	static String openDkim(Path directory, String message, Map<String, String> dns) throws IOException {
		Path mail = Files.writeString(directory.resolve("opendkim.eml"), message, StandardCharsets.UTF_8);
		Path records = Files.writeString(directory.resolve("opendkim.records"),
				dns.entrySet()
					.stream()
					.map((entry) -> entry.getKey() + " " + entry.getValue() + "\n")
					.collect(Collectors.joining()));
		Path settings = Files.writeString(directory.resolve("opendkim.conf"),
				"Mode v\nTestDNSData file:" + records + "\n");
		return output(new ProcessBuilder(OPEN_DKIM.toString(), "-x", settings.toString(), "-vvv", "-t", mail.toString())
			.redirectErrorStream(true));
	}

	private static String output(ProcessBuilder program) throws IOException {
		Process process = program.start();
		process.getOutputStream().close();
		return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
	}

}
