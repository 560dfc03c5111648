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
import org.springframework.core.env.Environment;

/**
 * Configuration of the core's features, imported by each app. The packages are listed one
 * by one because the apps' packages also begin with {@code dev.mailroom}, and the
 * standalone has all of them on its class path.
 */
@Configuration(proxyBeanMethods = false)
@ComponentScan({ "dev.mailroom.account", "dev.mailroom.addresscheck", "dev.mailroom.audit", "dev.mailroom.blob",
		"dev.mailroom.brand", "dev.mailroom.campaign", "dev.mailroom.closure", "dev.mailroom.contact",
		"dev.mailroom.database", "dev.mailroom.directory", "dev.mailroom.dmarc", "dev.mailroom.dmarcreport",
		"dev.mailroom.domain", "dev.mailroom.event", "dev.mailroom.image", "dev.mailroom.inbound",
		"dev.mailroom.mail.accept", "dev.mailroom.mail.draft", "dev.mailroom.mail.log", "dev.mailroom.mail.outcome",
		"dev.mailroom.mail.queue", "dev.mailroom.operator", "dev.mailroom.readiness", "dev.mailroom.secret",
		"dev.mailroom.site", "dev.mailroom.source", "dev.mailroom.template", "dev.mailroom.tlspolicy",
		"dev.mailroom.tlsreport", "dev.mailroom.tracking", "dev.mailroom.trackingdomain", "dev.mailroom.upkeep",
		"dev.mailroom.webhook" })
@ConfigurationPropertiesScan({ "dev.mailroom.account", "dev.mailroom.audit", "dev.mailroom.blob",
		"dev.mailroom.campaign", "dev.mailroom.closure", "dev.mailroom.contact", "dev.mailroom.database",
		"dev.mailroom.directory", "dev.mailroom.dmarcreport", "dev.mailroom.domain", "dev.mailroom.event",
		"dev.mailroom.inbound", "dev.mailroom.mail.accept", "dev.mailroom.mail.draft", "dev.mailroom.mail.log",
		"dev.mailroom.mail.outcome", "dev.mailroom.mail.queue", "dev.mailroom.operator", "dev.mailroom.secret",
		"dev.mailroom.template", "dev.mailroom.tracking", "dev.mailroom.trackingdomain", "dev.mailroom.upkeep",
		"dev.mailroom.webhook" })
public class Core {

	@Bean
	static SettingChecks settingChecks(Environment environment) {
		return new SettingChecks(environment);
	}

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
	 * of packages that declare a dependency on it may read them, and only this package
	 * may write its tables; each object has exactly one owner. Trigger functions are not
	 * restricted. A test compares the declarations with the SQL and with the database.
	 */
	@Documented
	@Retention(RetentionPolicy.CLASS)
	@Target(ElementType.PACKAGE)
	public @interface Tables {

		/** Tables and views that only this package writes. */
		String[] writes();

		/** Functions, except trigger functions. */
		String[] functions() default {};

		/**
		 * Tables of other packages from which this one deletes the rows whose retention
		 * is over.
		 */
		String[] removes() default {};

	}

}
