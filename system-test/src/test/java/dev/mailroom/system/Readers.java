package dev.mailroom.system;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Programs that others wrote to read mail and to verify it. */
final class Readers {

	private static final Path OPEN_DKIM = Path.of(System.getProperty("opendkim", "/usr/sbin/opendkim"));

	private Readers() {
	}

	/** What postal-mime makes of a message. */
	static JsonNode read(Path directory, String message) throws IOException {
		Path mail = Files.writeString(directory.resolve("read.eml"), message, StandardCharsets.UTF_8);
		return new JsonMapper()
			.readTree(said(new ProcessBuilder("node", "src/test/clients/read.mjs", mail.toString())));
	}

	static boolean hasOpenDkim() {
		return Files.isExecutable(OPEN_DKIM);
	}

	/** What Debian's OpenDKIM makes of a message's signatures. */
	static String openDkim(Path directory, String message, Map<String, String> dns) throws IOException {
		Path mail = Files.writeString(directory.resolve("opendkim.eml"), message, StandardCharsets.UTF_8);
		Path records = Files.writeString(directory.resolve("opendkim.records"),
				dns.entrySet()
					.stream()
					.map((entry) -> entry.getKey() + " " + entry.getValue() + "\n")
					.collect(Collectors.joining()));
		Path settings = Files.writeString(directory.resolve("opendkim.conf"),
				"Mode v\nTestDNSData file:" + records + "\n");
		return said(new ProcessBuilder(OPEN_DKIM.toString(), "-x", settings.toString(), "-vvv", "-t", mail.toString())
			.redirectErrorStream(true));
	}

	private static String said(ProcessBuilder program) throws IOException {
		Process process = program.start();
		process.getOutputStream().close();
		return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
	}

}
