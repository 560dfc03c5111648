package dev.mailroom.system;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** DKIM verification by the npm package mailauth, which supports Ed25519. */
final class MailAuth {

	private static final Path CLIENTS = Path.of("src/test/clients");

	private MailAuth() {
	}

	/**
	 * Verifies the signatures of a message.
	 * @param dns TXT records by host
	 * @return one line per signature: algorithm, domain, {@code aligned} if the domain is
	 * that of the author, and result
	 */
	static List<String> verify(Path directory, String message, Map<String, String> dns) throws Exception {
		Path mail = Files.writeString(directory.resolve("signed.eml"), message, StandardCharsets.UTF_8);
		Path records = Files.writeString(directory.resolve("records.json"), new JsonMapper().writeValueAsString(dns));
		Process node = new ProcessBuilder("node", CLIENTS.resolve("verify.mjs").toString(), mail.toString(),
				records.toString())
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		String output = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(node.waitFor(1, TimeUnit.MINUTES)).isTrue();
		return output.lines().toList();
	}

}
