package dev.mailroom.spring;

import dev.mailroom.sdk.CallOptions;
import dev.mailroom.sdk.Mailroom;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** Configures the client, if there is an API key. */
@AutoConfiguration
@EnableConfigurationProperties(MailroomProperties.class)
public class MailroomAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(MailroomConnectionDetails.class)
	@ConditionalOnProperty("mailroom.api-key")
	MailroomConnectionDetails mailroomConnectionDetails(MailroomProperties properties) {
		return new MailroomConnectionDetails() {
			@Override
			public @Nullable String getUrl() {
				return properties.url();
			}

			@Override
			public @Nullable String getApiKey() {
				return properties.apiKey();
			}
		};
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean(MailroomConnectionDetails.class)
	Mailroom mailroom(MailroomConnectionDetails details, MailroomProperties properties, Environment environment,
			ObjectProvider<ObservationRegistry> observations, ObjectProvider<MailroomClientCustomizer> customizers) {
		Mailroom.Builder builder = Mailroom.builder()
			.options(CallOptions.DEFAULT.withTimeout(properties.timeout()).withRetries(properties.retries()));
		@Nullable String app = environment.getProperty("spring.application.name");
		if (app != null) {
			builder.app(app);
		}
		if (details.getUrl() != null) {
			builder.url(details.getUrl());
		}
		if (details.getApiKey() != null) {
			builder.apiKey(details.getApiKey());
		}
		observations.ifAvailable((registry) -> builder.observer(new ClientObservation(registry)));
		customizers.orderedStream().forEach((customizer) -> customizer.customize(builder));
		return builder.build();
	}

}
