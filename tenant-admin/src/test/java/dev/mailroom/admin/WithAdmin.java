package dev.mailroom.admin;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import dev.mailroom.TestDatabase;
import dev.mailroom.domain.SharedDns;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ContextConfiguration;

/**
 * A test of the whole app over HTTP against PostgreSQL, with a deadline that a busy
 * machine keeps.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(classes = TenantAdmin.class, webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "spring.config.name=" + TenantAdmin.CONFIG, "mailroom.graphql.deadline=60s",
				"mailroom.graphql.stall-timeout=2s", "mailroom.http.trusted-proxies=127.0.0.1,::1",
				"mailroom.in-flight-bytes=10000000", "mailroom.rate-limit.sends=1000000",
				"mailroom.rate-limit.send-burst=1000000", "mailroom.rate-limit.others=1000000",
				"mailroom.rate-limit.other-burst=1000000", "mailroom.app-url=https://app.mailroom.test",
				"management.prometheus.metrics.export.enabled=true" })
@ContextConfiguration(initializers = { TestDatabase.class, SharedDns.class })
@Import(Statements.class)
public @interface WithAdmin {

}
