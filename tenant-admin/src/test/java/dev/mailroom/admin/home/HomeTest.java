package dev.mailroom.admin.home;

import dev.mailroom.TestDatabase;
import dev.mailroom.admin.TenantAdmin;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalManagementPort;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(classes = TenantAdmin.class, webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "spring.config.name=" + TenantAdmin.CONFIG, "management.server.port=0",
				"management.prometheus.metrics.export.enabled=true" })
@ContextConfiguration(initializers = TestDatabase.class)
class HomeTest {

	@LocalServerPort
	int port;

	@LocalManagementPort
	int managementPort;

	@Test
	void theHomePageShowsTheStateOfTheDatabase() {
		at(this.port, "/").expectStatus()
			.isOk()
			.expectHeader()
			.contentTypeCompatibleWith(MediaType.TEXT_HTML)
			.expectHeader()
			.valueEquals("X-Content-Type-Options", "nosniff")
			.expectHeader()
			.valueEquals("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
			.expectBody(String.class)
			.value((page) -> assertThat(page).contains("Mailroom admin", "its schema has version "));
	}

	@Test
	void otherPathsOfTheAdminPortAreNotFound() {
		for (String path : new String[] { "/actuator/health", "/api/emails", "/index.html" }) {
			at(this.port, path).expectStatus().isNotFound();
		}
	}

	@Test
	void healthAndMetricsUseASeparatePortAndShowNoDetails() {
		assertThat(this.managementPort).isNotEqualTo(this.port);
		for (String path : new String[] { "/actuator/health/readiness", "/actuator/health/liveness" }) {
			at(this.managementPort, path).expectStatus().isOk().expectBody().json("{\"status\":\"UP\"}");
		}
		at(this.managementPort, "/actuator/health").expectBody(String.class)
			.value((body) -> assertThat(body).doesNotContain("components", "details"));
		at(this.managementPort, "/actuator/prometheus").expectStatus().isEqualTo(HttpStatus.OK);
		at(this.managementPort, "/actuator/env").expectStatus().isNotFound();
	}

	private static WebTestClient.ResponseSpec at(int port, String path) {
		return WebTestClient.bindToServer().baseUrl("http://localhost:" + port).build().get().uri(path).exchange();
	}

}
