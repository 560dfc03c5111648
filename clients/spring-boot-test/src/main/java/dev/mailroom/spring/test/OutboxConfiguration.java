package dev.mailroom.spring.test;

import dev.mailroom.spring.MailroomClientCustomizer;
import dev.mailroom.spring.MailroomConnectionDetails;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Replaces the connection of the client by an outbox. */
@Configuration(proxyBeanMethods = false)
class OutboxConfiguration {

	@Bean
	Outbox mailroomOutbox() {
		return new Outbox();
	}

	@Bean
	MailroomConnectionDetails mailroomConnectionDetails() {
		return new MailroomConnectionDetails() {
			@Override
			public String getUrl() {
				return "http://outbox.invalid/api";
			}

			@Override
			public String getApiKey() {
				return "ek_outbox_key";
			}
		};
	}

	@Bean
	MailroomClientCustomizer mailroomOutboxCustomizer(Outbox outbox) {
		return (builder) -> builder.http(new OutboxHttpClient(outbox));
	}

}
