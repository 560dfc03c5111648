package dev.mailroom.system;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A receiver's look at DKIM signatures, by a verifier that others wrote: Java has none
 * that knows Ed25519.
 */
final class MailAuth {

	private static final Path CLIENTS = Path.of("src/test/clients");

	private MailAuth() {
	}

	/**
	 * Verifies a message's signatures.
	 * @param dns host to text
	 * @return a line for each: algorithm, domain and result
	 */
	static List<String> verify(Path directory, String message, Map<String, String> dns) throws Exception {
		Path mail = Files.writeString(directory.resolve("signed.eml"), message, StandardCharsets.UTF_8);
		Path records = Files.writeString(directory.resolve("records.json"), new JsonMapper().writeValueAsString(dns));
		Process node = new ProcessBuilder("node", CLIENTS.resolve("verify.mjs").toString(), mail.toString(),
				records.toString())
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		String said = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(node.waitFor(1, TimeUnit.MINUTES)).isTrue();
		return said.lines().toList();
	}

}
