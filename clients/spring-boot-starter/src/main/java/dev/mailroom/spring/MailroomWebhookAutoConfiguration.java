package dev.mailroom.spring;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Configures parameters of {@link VerifiedWebhook} in web applications. */
@AutoConfiguration(after = MailroomAutoConfiguration.class)
public class MailroomWebhookAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	@ConditionalOnClass(WebMvcConfigurer.class)
	static class Servlet {

		@Bean
		WebMvcConfigurer mailroomWebhooks(MailroomProperties properties) {
			return new ServletWebhooks(new WebhookArguments(properties.webhookSecrets()));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	@ConditionalOnClass(WebFluxConfigurer.class)
	static class Reactive {

		@Bean
		WebFluxConfigurer mailroomWebhooks(MailroomProperties properties) {
			return new ReactiveWebhooks(new WebhookArguments(properties.webhookSecrets()));
		}

	}

}
