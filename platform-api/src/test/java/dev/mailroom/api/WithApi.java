package dev.mailroom.api;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import dev.mailroom.TestDatabase;
import dev.mailroom.domain.SharedDns;

import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.test.context.ContextConfiguration;

/**
 * A test of the whole app over HTTP against PostgreSQL, with the production settings
 * except for the rate limits, behind a proxy on this machine. A test class injects its
 * {@link Client} and a new {@link Person}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(classes = PlatformApi.class, webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "spring.config.name=" + PlatformApi.CONFIG, "mailroom.rate-limit.sends=1000000",
				"mailroom.rate-limit.send-burst=1000000", "mailroom.rate-limit.others=1000000",
				"mailroom.rate-limit.other-burst=1000000", "mailroom.http.trusted-proxies=127.0.0.1,::1",
				"mailroom.event-stream.duration=300ms" })
@ContextConfiguration(initializers = { TestDatabase.class, SharedDns.class })
@Import(WithApi.Callers.class)
public @interface WithApi {

	/** The client of the app, and a new person with a session for each injection. */
	@TestConfiguration(proxyBeanMethods = false)
	class Callers {

		@Bean
		@Lazy
		Client client(@LocalServerPort int port) {
			return new Client(port);
		}

		@Bean
		@Scope(ConfigurableBeanFactory.SCOPE_PROTOTYPE)
		Person person(ApplicationContext context) {
			return Person.in(context);
		}

	}

}
