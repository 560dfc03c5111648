package dev.mailroom.standalone;

import java.time.Duration;
import java.util.Map;

import com.google.common.base.Throwables;
import dev.mailroom.WrongSetting;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Mailroom on one machine without further installation: the broker, the three apps and a
 * mailbox in one process, and the database as its child process. Configured by
 * {@code standalone.yaml} and the configuration files of the apps.
 */
public final class Standalone {

	private static final Logger log = LoggerFactory.getLogger(Standalone.class);

	/**
	 * A stop takes at most about ten seconds. During the start, up to half of them may be
	 * spent on waiting for the current step, as no mail is in delivery then.
	 */
	private static final Duration STEP_TIMEOUT = Duration.ofSeconds(5);

	private static final Duration STOP_TIMEOUT = Duration.ofMillis(8500);

	private Standalone() {
	}

	/**
	 * Starts Mailroom and leaves it running until the process receives a signal to stop.
	 * If Mailroom cannot start, prints the reason to standard error and exits with status
	 * 1.
	 */
	public static void main(String[] arguments) {
		Parts parts = new Parts(STEP_TIMEOUT, STOP_TIMEOUT);
		Runtime.getRuntime().addShutdownHook(new Thread(parts::stop, "stop"));
		try {
			System.out.println(new StartSequence(parts, parent(arguments)).run());
			// Frees the memory that only the start needed.
			System.gc();
		}
		catch (StartFailure ex) {
			log.debug("Mailroom cannot start", ex);
			exit(parts, ex.getMessage());
		}
		catch (Exception ex) {
			if (!(Throwables.getRootCause(ex) instanceof WrongSetting)) {
				log.error("Mailroom did not start", ex);
			}
			exit(parts, "Mailroom did not start: see the log above for the reason.");
		}
	}

	private static ConfigurableApplicationContext parent(String... arguments) {
		return new SpringApplicationBuilder(ParentContext.class).web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.logStartupInfo(false)
			.registerShutdownHook(false)
			.properties(Map.of("spring.config.name", "standalone"))
			.run(arguments);
	}

	private static void exit(Parts parts, @Nullable String message) {
		// A failure during a stop is caused by the stop.
		if (!parts.stopping()) {
			System.err.println(message);
			System.exit(1);
		}
	}

}
