package dev.mailroom.observability;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.LoggingEvent;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import org.springframework.boot.SpringApplication;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assumptions.assumeThat;

class LogFormatTest {

	@Test
	void theLogIsJsonIfTheOutputIsNoTerminalAndPlainOnRequest() {
		assertThat(configured(Map.of("mailroom.log-format", "ecs")).getProperty("logging.structured.format.console"))
			.isEqualTo("ecs");
		assertThat(configured(Map.of()).getProperty("logging.structured.format.console")).isEqualTo("ecs");
		assertThat(configured(Map.of()).getProperty("logging.level.reactor.netty.http.server.HttpServerOperations"))
			.isEqualTo("error");
		StandardEnvironment plain = configured(Map.of("mailroom.log-format", "plain"));
		assertThat(plain.getProperty("logging.structured.format.console")).isNull();
		assertThat(plain.getProperty("logging.pattern.console")).contains("request_id");
		assertThatIllegalStateException().isThrownBy(() -> configured(Map.of("mailroom.log-format", "xml")))
			.withMessage("MAILROOM_LOG_FORMAT is \"xml\", but it must be ecs or plain.");
	}

	@Test
	void aLoggedValueCannotBeginAnEntryOrControlTheTerminal() {
		String line = line("a\u001b[31mb\u0007\r\n2030-01-01T00:00:00Z ERROR forged\u2028x", null);
		assertThat(line).endsWith(": a[31mb\n    2030-01-01T00:00:00Z ERROR forged\u2028    x\n");
		String thrown = line("it failed", new IllegalStateException("one\ntwo"));
		assertThat(thrown).contains("it failed\n    java.lang.IllegalStateException: one\n    two\n    ")
			.containsOnlyOnce("IllegalStateException");
	}

	@Test
	void theLocalPartsOfAddressesAreNotLogged() {
		assertThat(line("550 <Ada.L+x@mail.x.test>: no user", new IllegalStateException("ada@x.test")))
			.contains(": 550 <***@mail.x.test>: no user\n", "IllegalStateException: ***@x.test\n");
		assertThat(line("mailto:ada@x.test, Object@1a2b", null)).contains(": ***@x.test, Object@1a2b\n");
		String hash = LoggedAddresses.hash("ada@x.test");
		assertThat(hash).hasSize(12).isEqualTo(LoggedAddresses.hash("Ada@X.test"));
		assertThat(LoggedAddresses.hashed("to=<ada@x.test>, \"a b\"@x.test; Object@1a2b mailto:ada@x.test."))
			.isEqualTo("to=<" + hash + "@x.test>, " + LoggedAddresses.hash("\"a b\"@x.test")
					+ "@x.test; Object@1a2b mailto:" + hash + "@x.test.");
		assertThat(LoggedAddresses.hashed("Grüße an jörg@münchen.test")).doesNotContain("jörg");
		assertThat(configured(Map.of("mailroom.log-format", "ecs")).getProperty("logging.structured.json.customizer"))
			.isEqualTo(LoggedAddresses.class.getName());
	}

	@Test
	void theDocumentedCommandFindsTheLoggedHashOfAnAddress() throws Exception {
		assumeThat(new ProcessBuilder("sh", "-c", "openssl kdf -help 2>/dev/null").start().waitFor())
			.as("OpenSSL 3 on the PATH")
			.isZero();
		String key = Base64.getEncoder().encodeToString("an installation's own master key".getBytes(UTF_8));
		String keyless = LoggedAddresses.hash("ann@example.com");
		configured(Map.of("mailroom.master-key", key + ", " + Base64.getEncoder().encodeToString(new byte[32])));
		Matcher command = Pattern.compile("```sh\n(hex\\(\\).*?)```", Pattern.DOTALL)
			.matcher(Files.readString(Path.of("../docs/operations.md")));
		assertThat(command.find()).isTrue();
		ProcessBuilder shell = new ProcessBuilder("sh", "-c", command.group(1)).redirectErrorStream(true);
		shell.environment().put("MAILROOM_MASTER_KEY", key);
		assertThat(LoggedAddresses.hash("Ann@example.com"))
			.isEqualTo(new String(shell.start().getInputStream().readAllBytes(), UTF_8).strip())
			.isNotEqualTo(keyless);
	}

	private static StandardEnvironment configured(Map<String, Object> properties) {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
		new LogFormat().postProcessEnvironment(environment, new SpringApplication());
		return environment;
	}

	private static String line(String message, Throwable thrown) {
		LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
		PatternLayout layout = new PatternLayout();
		layout.setContext(context);
		layout.setPattern(LogFormat.PLAIN);
		layout.start();
		Logger logger = context.getLogger("test");
		return layout.doLayout(new LoggingEvent("", logger, Level.INFO, message, thrown, null));
	}

}
