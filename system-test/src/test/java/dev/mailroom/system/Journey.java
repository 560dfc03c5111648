package dev.mailroom.system;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.mailroom.process.Mailroom;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Journeys in a browser: scripts of {@code src/test/browser}. Pictures are in
 * {@code target/pictures}.
 */
public final class Journey {

	private static final Path SCRIPTS = Path.of("src/test/browser");

	private static final Path PICTURES = Path.of("target/pictures");

	private static final int TIMEOUT_MINUTES = 8;

	private static boolean unpacked;

	private Journey() {
	}

	/**
	 * Output of a journey, which must exit with 0.
	 * @param settings environment besides the ports of Mailroom and its operator
	 */
	static String run(String script, Mailroom mailroom, Map<String, String> settings)
			throws IOException, InterruptedException {
		Map<String, String> environment = new HashMap<>(settings);
		environment.put("API", Integer.toString(mailroom.port("API")));
		environment.put("ADMIN", Integer.toString(mailroom.port("Admin")));
		environment.put("MAILBOX", Integer.toString(mailroom.port("Mailbox")));
		environment.put("CATCHER", Integer.toString(mailroom.port("SMTP")));
		environment.put("INBOUND", Integer.toString(mailroom.port("Inbound")));
		environment.put("OPERATOR", mailroom.word("Operator"));
		environment.put("PASSWORD", mailroom.word("Password"));
		return run(script, environment);
	}

	/**
	 * Output of a journey, which must exit with 0.
	 * @param settings the whole environment besides the directory of the pictures
	 */
	public static String run(String script, Map<String, String> settings) throws IOException, InterruptedException {
		unpackBrowser();
		Map<String, String> environment = new HashMap<>(settings);
		environment.put("PICTURES", PICTURES.toAbsolutePath().toString());
		String output = node(script, environment);
		assertThat(output).contains("all checks passed");
		return output;
	}

	/**
	 * Unpacks Chromium before the first of several journeys that run at the same time.
	 */
	private static synchronized void unpackBrowser() throws IOException, InterruptedException {
		if (!unpacked) {
			node("unpack.mjs", Map.of());
			unpacked = true;
		}
	}

	private static String node(String script, Map<String, String> environment)
			throws IOException, InterruptedException {
		ProcessBuilder builder = new ProcessBuilder(List.of("node", script)).directory(SCRIPTS.toFile())
			.redirectErrorStream(true);
		builder.environment().putAll(environment);
		Process process = builder.start();
		process.getOutputStream().close();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor(TIMEOUT_MINUTES, TimeUnit.MINUTES)).isTrue();
		assertThat(process.exitValue()).as(output).isZero();
		return output;
	}

}
