package dev.mailroom.spring;

import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

import com.jayway.jsonpath.JsonPath;
import dev.mailroom.sdk.Mailroom;
import dev.mailroom.sdk.MailroomException;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import jakarta.mail.internet.MimeMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.mail.autoconfigure.MailSenderAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.mail.MailSender;
import org.springframework.mail.SimpleMailMessage;
import org.springframework.mail.javamail.JavaMailSender;
import org.springframework.mail.javamail.JavaMailSenderImpl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class AutoConfigurationTest {

	private Server server;

	private ApplicationContextRunner unconfigured;

	private ApplicationContextRunner application;

	@BeforeEach
	void start() throws IOException {
		this.server = new Server();
		this.unconfigured = new ApplicationContextRunner().withConfiguration(
				AutoConfigurations.of(MailroomAutoConfiguration.class, MailroomMailSenderAutoConfiguration.class,
						MailroomHealthAutoConfiguration.class, MailSenderAutoConfiguration.class));
		this.application = this.unconfigured.withPropertyValues(this.server.properties());
	}

	@AfterEach
	void stop() {
		this.server.close();
	}

	@Test
	void withoutAKeyNothingIsConfigured() {
		this.unconfigured.run((context) -> assertThat(context).doesNotHaveBean(Mailroom.class)
			.doesNotHaveBean(MailSender.class)
			.doesNotHaveBean(HealthIndicator.class));
	}

	@Test
	void theSenderReplacesThatOfSpringMail() {
		this.application.withPropertyValues("spring.mail.host=localhost")
			.run((context) -> assertThat(context).hasSingleBean(MailSender.class)
				.getBean(MailSender.class)
				.isInstanceOf(MimeMailSender.class));
		this.application.withPropertyValues("spring.mail.host=localhost", "mailroom.mail-sender.enabled=false")
			.run((context) -> assertThat(context).hasSingleBean(Mailroom.class)
				.getBean(MailSender.class)
				.isInstanceOf(JavaMailSenderImpl.class));
	}

	@Test
	void theBeansOfTheApplicationTakePrecedence() {
		MailSender own = new JavaMailSenderImpl();
		Mailroom client = Mailroom.builder().apiKey("ek_own_key").url("http://localhost/api").build();
		this.application.withBean(MailSender.class, () -> own).withBean(Mailroom.class, () -> client).run((context) -> {
			assertThat(context.getBean(MailSender.class)).isSameAs(own);
			assertThat(context.getBean(Mailroom.class)).isSameAs(client);
		});
	}

	@Test
	void connectionDetailsReplaceTheProperties() {
		this.application.withBean(MailroomConnectionDetails.class, () -> new MailroomConnectionDetails() {
			@Override
			public String getUrl() {
				return "http://other.test/api";
			}

			@Override
			public String getApiKey() {
				return "ek_other_key";
			}
		})
			.run((context) -> assertThat(context.getBean(Mailroom.class))
				.hasToString("Mailroom http://other.test/api ek_other…"));
	}

	@Test
	void withoutJakartaMailTextIsSent() {
		this.application.withClassLoader(new FilteredClassLoader(MimeMessage.class))
			.withPropertyValues("mailroom.from=Shop <hello@shop.test>")
			.run((context) -> {
				assertThat(context).hasSingleBean(MailSender.class).doesNotHaveBean(JavaMailSender.class);
				SimpleMailMessage mail = new SimpleMailMessage();
				mail.setTo("ann@example.test");
				mail.setSubject("Hello");
				mail.setText("It works.");
				context.getBean(MailSender.class).send(mail);
				assertThat(this.server.requests.get(0).uri()).isEqualTo("/api/emails");
				assertThat(this.server.requests.get(0).body()).contains("\"from\":\"Shop <hello@shop.test>\"",
						"\"to\":[\"ann@example.test\"]", "\"subject\":\"Hello\"", "\"text\":\"It works.\"");
			});
	}

	@Test
	void callsAreObserved() {
		List<String> observed = new ArrayList<>();
		ObservationRegistry registry = ObservationRegistry.create();
		registry.observationConfig().observationHandler(new ObservationHandler<>() {
			@Override
			public void onStop(Observation.Context context) {
				observed.add(context.getName() + context.getLowCardinalityKeyValues());
			}

			@Override
			public boolean supportsContext(Observation.Context context) {
				return true;
			}
		});
		this.application.withBean(ObservationRegistry.class, () -> registry).run((context) -> {
			Mailroom mailroom = context.getBean(Mailroom.class);
			mailroom.emails().send((mail) -> mail.from("a@b.test"));
			this.server.refuse(403, "forbidden");
			assertThatExceptionOfType(MailroomException.class)
				.isThrownBy(() -> mailroom.request("DELETE", "/domains/1", null));
		});
		assertThat(observed).containsExactly(
				"mailroom.client[keyValue(error.name=none),keyValue(operation=emails.send),keyValue(status=2xx)]",
				"mailroom.client[keyValue(error.name=forbidden),keyValue(operation=request),keyValue(status=403)]");
	}

	@Test
	void healthIsThatOfTheKeyAndIsKeptForHalfAMinute() {
		this.server.body = key("null");
		this.application.run((context) -> {
			assertThat(context).hasBean("mailroomHealthIndicator");
			Time time = new Time();
			HealthIndicator health = new MailroomHealth(context.getBean(Mailroom.class), time);
			assertThat(health.health().getStatus()).isEqualTo(Status.UP);
			this.server.refuse(401, "unauthorized");
			time.now = time.now.plusSeconds(29);
			assertThat(health.health().getStatus()).isEqualTo(Status.UP);
			time.now = time.now.plusSeconds(1);
			assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
			assertThat(health.health().getDetails()).containsEntry("error", "unauthorized");
			assertThat(this.server.requests).hasSize(2);
			this.server.status = 200;
			this.server.body = key("\"" + time.now.plusSeconds(60) + "\"");
			time.now = time.now.plusSeconds(30);
			assertThat(health.health().getStatus()).isEqualTo(Status.UP);
			time.now = time.now.plusSeconds(30);
			assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
		});
		this.application.withPropertyValues("management.health.mailroom.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(HealthIndicator.class));
	}

	@Test
	void everyPropertyIsDescribed() throws IOException {
		Set<String> described;
		try (InputStream file = getClass().getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
			described = new TreeSet<>(JsonPath.<List<String>>read(file, "$.properties[*].name"));
		}
		Set<String> names = new TreeSet<>(Set.of("management.health.mailroom.enabled", "mailroom.mail-sender.enabled"));
		for (var component : MailroomProperties.class.getRecordComponents()) {
			if (!component.getName().equals("mailSender")) {
				names.add("mailroom." + component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT));
			}
		}
		assertThat(described).isEqualTo(names);
	}

	private static String key(String expires) {
		return """
				{"success": true, "data": {"apiKey": {"id": "k", "account": true, "domain_id": null, "key_prefix": "ek_a",
				 "key_name": "shop", "permissions": ["emails.send"], "created_at": "2026-11-21T09:30:00.000Z",
				 "expires_at": %s, "last_used_at": null}, "domain": null, "account": {"id": "a", "plan": "free"}}}"""
			.formatted(expires);
	}

	private static final class Time extends Clock {

		private Instant now = Instant.parse("2026-11-21T09:30:00Z");

		@Override
		public Instant instant() {
			return this.now;
		}

		@Override
		public ZoneId getZone() {
			return ZoneOffset.UTC;
		}

		@Override
		public Clock withZone(ZoneId zone) {
			return this;
		}

	}

}
