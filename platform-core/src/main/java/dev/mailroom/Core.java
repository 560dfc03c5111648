package dev.mailroom;

import java.time.Clock;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.NoArgGenerator;

import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * All of the core's features, for an app to import. Named one by one: the apps' own
 * packages stand beside them, and the standalone has every app on one class path.
 */
@Configuration(proxyBeanMethods = false)
@Import(Transactions.class)
@ComponentScan({ "dev.mailroom.accept", "dev.mailroom.account", "dev.mailroom.apikey", "dev.mailroom.authentication",
		"dev.mailroom.autopause", "dev.mailroom.blob", "dev.mailroom.campaign", "dev.mailroom.contact",
		"dev.mailroom.domain", "dev.mailroom.email", "dev.mailroom.event", "dev.mailroom.feed",
		"dev.mailroom.idempotency", "dev.mailroom.inbound", "dev.mailroom.notice", "dev.mailroom.outcome",
		"dev.mailroom.queue", "dev.mailroom.quota", "dev.mailroom.reputation", "dev.mailroom.retention",
		"dev.mailroom.schema", "dev.mailroom.seal", "dev.mailroom.submission", "dev.mailroom.suppression",
		"dev.mailroom.template", "dev.mailroom.tracking", "dev.mailroom.usage", "dev.mailroom.webhook" })
@ConfigurationPropertiesScan({ "dev.mailroom.accept", "dev.mailroom.account", "dev.mailroom.authentication",
		"dev.mailroom.autopause", "dev.mailroom.blob", "dev.mailroom.campaign", "dev.mailroom.domain",
		"dev.mailroom.outcome", "dev.mailroom.queue", "dev.mailroom.retention", "dev.mailroom.seal",
		"dev.mailroom.tracking", "dev.mailroom.webhook" })
public class Core {

	@Bean
	Clock clock() {
		return Clock.systemUTC();
	}

	/**
	 * Makes identifiers: UUIDv7 (RFC 9562), so that later ones sort behind earlier ones.
	 */
	@Bean
	NoArgGenerator ids() {
		return Generators.timeBasedEpochRandomGenerator();
	}

}
