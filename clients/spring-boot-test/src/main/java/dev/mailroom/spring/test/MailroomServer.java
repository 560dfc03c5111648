package dev.mailroom.spring.test;

import java.util.Objects;

import dev.mailroom.sdk.Mailroom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A server for tests, the same for all of them: that which the environment variables
 * {@code MAILROOM_TEST_URL}, {@code MAILROOM_TEST_API_KEY}, {@code MAILROOM_TEST_DOMAIN}
 * and {@code MAILROOM_TEST_MAILBOX} name, or the standalone's jar
 * {@code MAILROOM_TEST_JAR}, started once in a JVM with an empty directory. All of them
 * can be system properties, such as {@code mailroom.test.jar}.
 */
public final class MailroomServer implements BeforeAllCallback {

	private static @Nullable Running running;

	@Override
	public void beforeAll(ExtensionContext context) {
		running();
	}

	/** Returns the address of the API. */
	public String url() {
		return running().url();
	}

	/** Returns a key of an account, with all permissions if the server was started. */
	public String apiKey() {
		return running().apiKey();
	}

	/** Returns a domain from which the key sends. */
	public String domain() {
		return running().domain();
	}

	/** Returns the mailbox, which catches all mail of the server. */
	public Mailbox mailbox() {
		return running().mailbox();
	}

	/** Returns a client with the key. */
	public Mailroom mailroom() {
		return Mailroom.builder().url(url()).apiKey(apiKey()).build();
	}

	private static synchronized Running running() {
		if (running == null) {
			@Nullable String url = setting("url");
			running = (url != null)
					? new Running(url, required("api-key"), required("domain"),
							new Mailbox(Objects.requireNonNullElse(setting("mailbox"), "http://localhost:8025")))
					: Standalone.start(required("jar"));
		}
		return running;
	}

	private static String required(String name) {
		@Nullable String value = setting(name);
		if (value == null) {
			throw new IllegalStateException(
					"There is no server for tests: set MAILROOM_TEST_JAR to the standalone's jar, "
							+ "or MAILROOM_TEST_URL, MAILROOM_TEST_API_KEY and MAILROOM_TEST_DOMAIN (here " + name
							+ " is missing)");
		}
		return value;
	}

	private static @Nullable String setting(String name) {
		@Nullable String property = System.getProperty("mailroom.test." + name);
		return (property != null) ? property
				: System.getenv("MAILROOM_TEST_" + name.replace('-', '_').toUpperCase(java.util.Locale.ROOT));
	}

	/** A server that answers. */
	record Running(String url, String apiKey, String domain, Mailbox mailbox) {
	}

}
