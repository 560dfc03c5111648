package dev.mailroom;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Clock;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.NoArgGenerator;

import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Configuration of the core's features, imported by each app. The packages are listed one
 * by one because the apps' packages also begin with {@code dev.mailroom}, and the
 * standalone has all of them on its class path.
 */
@Configuration(proxyBeanMethods = false)
@Import(Transactions.class)
@ComponentScan({ "dev.mailroom.accept", "dev.mailroom.account", "dev.mailroom.agenda", "dev.mailroom.apikey",
		"dev.mailroom.audit", "dev.mailroom.authentication", "dev.mailroom.autopause", "dev.mailroom.blob",
		"dev.mailroom.campaign", "dev.mailroom.client", "dev.mailroom.contact", "dev.mailroom.domain",
		"dev.mailroom.email", "dev.mailroom.event", "dev.mailroom.feed", "dev.mailroom.fleet", "dev.mailroom.hold",
		"dev.mailroom.idempotency", "dev.mailroom.inbound", "dev.mailroom.maillog", "dev.mailroom.member",
		"dev.mailroom.notice", "dev.mailroom.optin", "dev.mailroom.outcome", "dev.mailroom.operation",
		"dev.mailroom.oversight", "dev.mailroom.pool", "dev.mailroom.queue", "dev.mailroom.quota",
		"dev.mailroom.reputation", "dev.mailroom.reseal", "dev.mailroom.retention", "dev.mailroom.schema",
		"dev.mailroom.seal", "dev.mailroom.secondfactor", "dev.mailroom.submission", "dev.mailroom.suppression",
		"dev.mailroom.team", "dev.mailroom.template", "dev.mailroom.throttle", "dev.mailroom.token",
		"dev.mailroom.tracking", "dev.mailroom.traffic", "dev.mailroom.usage", "dev.mailroom.warmup",
		"dev.mailroom.webhook" })
@ConfigurationPropertiesScan({ "dev.mailroom.accept", "dev.mailroom.account", "dev.mailroom.authentication",
		"dev.mailroom.autopause", "dev.mailroom.blob", "dev.mailroom.campaign", "dev.mailroom.client",
		"dev.mailroom.domain", "dev.mailroom.inbound", "dev.mailroom.notice", "dev.mailroom.outcome",
		"dev.mailroom.pool", "dev.mailroom.queue", "dev.mailroom.retention", "dev.mailroom.seal",
		"dev.mailroom.throttle", "dev.mailroom.token", "dev.mailroom.tracking", "dev.mailroom.warmup",
		"dev.mailroom.webhook" })
public class Core {

	@Bean
	Clock clock() {
		return Clock.systemUTC();
	}

	/** Generator of identifiers: UUIDv7 (RFC 9562), which sort by their creation time. */
	@Bean
	NoArgGenerator ids() {
		return Generators.timeBasedEpochRandomGenerator();
	}

	/**
	 * Declares the database objects that a package owns. Only the SQL of this package and
	 * of packages that declare a dependency on it may name them; each object has exactly
	 * one owner. A test compares the declarations with the SQL and with the database.
	 */
	@Documented
	@Retention(RetentionPolicy.CLASS)
	@Target(ElementType.PACKAGE)
	public @interface Tables {

		/** Tables and views. */
		String[] value();

		/** Functions, except trigger functions. */
		String[] functions() default {};

	}

}
