package dev.mailroom.api;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import dev.mailroom.TestDatabase;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.ContextConfiguration;

/**
 * A test of the whole app over HTTP against PostgreSQL, with the production settings
 * except for the rate limits, behind a proxy on this machine.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(classes = PlatformApi.class, webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "spring.config.name=" + PlatformApi.CONFIG, "mailroom.rate-limit.sends=1000000",
				"mailroom.rate-limit.send-burst=1000000", "mailroom.rate-limit.others=1000000",
				"mailroom.rate-limit.other-burst=1000000", "mailroom.http.trusted-proxies=127.0.0.1,::1" })
@ContextConfiguration(initializers = TestDatabase.class)
public @interface WithApi {

}
