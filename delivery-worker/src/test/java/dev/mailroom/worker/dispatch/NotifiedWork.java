package dev.mailroom.worker.dispatch;

import java.time.Duration;

import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/**
 * Loops that search while there is work and when some is notified, and otherwise too late
 * for a test.
 */
@TestConfiguration(proxyBeanMethods = false)
public class NotifiedWork {

	@Bean
	@Primary
	WorkLoops notifiedLoops(LoopHealth health) {
		return new WorkLoops(health, Duration.ofMinutes(2));
	}

}
