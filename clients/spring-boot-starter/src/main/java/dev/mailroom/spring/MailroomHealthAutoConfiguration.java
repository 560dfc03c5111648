package dev.mailroom.spring;

import java.time.Clock;

import dev.mailroom.sdk.Mailroom;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** Configures the health {@code mailroom}. It is no part of readiness. */
@AutoConfiguration(after = MailroomAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnEnabledHealthIndicator.class)
@ConditionalOnBean(Mailroom.class)
@ConditionalOnEnabledHealthIndicator("mailroom")
public class MailroomHealthAutoConfiguration {

	@Bean
	HealthIndicator mailroomHealthIndicator(Mailroom mailroom) {
		return new MailroomHealth(mailroom, Clock.systemUTC());
	}

}
