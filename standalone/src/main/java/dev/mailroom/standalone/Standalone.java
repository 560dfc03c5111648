package dev.mailroom.standalone;

import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Mailroom on one machine, with nothing else to install: database, broker, the three apps
 * and a mailbox in one process. Configured by {@code standalone.yaml} and the apps' own
 * files.
 */
public final class Standalone {

	private static final Logger log = LoggerFactory.getLogger(Standalone.class);

	/**
	 * A stop has ten seconds in all. While Mailroom starts, half of them may go to a step
	 * that is under way: nothing has mail to finish then.
	 */
	private static final Duration STEP_PATIENCE = Duration.ofSeconds(5);

	private static final Duration PATIENCE = Duration.ofMillis(8500);

	private Standalone() {
	}

	/**
	 * Starts Mailroom and leaves it running until the process is told to end. Where
	 * something is in the way, says so in a sentence and ends with 1.
	 */
	public static void main(String[] arguments) {
		Parts parts = new Parts(STEP_PATIENCE, PATIENCE);
		Runtime.getRuntime().addShutdownHook(new Thread(parts::stop, "stop"));
		try {
			System.out.println(new StartSequence(parts, parent(arguments)).run());
			// Returns the memory that only the start needed.
			System.gc();
		}
		catch (StartFailure ex) {
			log.debug("Mailroom cannot start", ex);
			end(parts, ex.getMessage());
		}
		catch (Exception ex) {
			log.error("Mailroom did not start", ex);
			end(parts, "Mailroom did not start: the log above says why.");
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

	private static void end(Parts parts, @Nullable String sentence) {
		// What fails while everything is being stopped fails for that reason.
		if (!parts.stopping()) {
			System.err.println(sentence);
			System.exit(1);
		}
	}

}
