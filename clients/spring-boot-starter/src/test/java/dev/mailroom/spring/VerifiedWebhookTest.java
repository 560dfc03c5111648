package dev.mailroom.spring;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

import dev.mailroom.sdk.EmailBouncedEvent;
import dev.mailroom.sdk.WebhookCalls;
import dev.mailroom.sdk.WebhookEvent;
import org.junit.jupiter.api.Test;

import org.springframework.http.HttpHeaders;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

class VerifiedWebhookTest {

	private static final String SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

	private static final byte[] BODY = """
			{"id": "e1", "type": "email.bounced", "api_version": "2026-11-01", "created_at": "2026-11-21T09:30:00.250Z",
			 "data": {"email_id": "m1", "from": "a@b.test", "recipient": "c@d.test", "to": ["c@d.test"], "subject": "Hi", "tags": {},
			  "bounce": {"type": "hard", "reason": "unknown", "code": "5.1.1", "diagnostic": "550 5.1.1 No"},
			  "created_at": "2026-11-21T09:30:00.250Z"}}"""
		.getBytes(StandardCharsets.UTF_8);

	private final WebhookArguments arguments = new WebhookArguments(List.of("whsec_b3RoZXI=", SECRET));

	@Test
	void mvcPassesTheEventOfAVerifiedCall() throws Exception {
		MockMvc mvc = MockMvcBuilders.standaloneSetup(new Hooks())
			.setCustomArgumentResolvers(new ServletWebhooks(this.arguments))
			.build();
		HttpHeaders headers = signed();
		assertThat(mvc.perform(post("/hooks").headers(headers).content(BODY)).andReturn().getResponse())
			.satisfies((it) -> assertThat(it.getStatus()).isEqualTo(200))
			.satisfies((it) -> assertThat(it.getContentAsString()).isEqualTo("bounced e1"));
		assertThat(mvc.perform(post("/hooks").headers(headers).content("{}")).andReturn().getResponse().getStatus())
			.isEqualTo(401);
		assertThat(mvc.perform(post("/hooks").content(BODY)).andReturn().getResponse().getStatus()).isEqualTo(401);
		byte[] large = new byte[WebhookArguments.MAX_BYTES + 1];
		assertThat(mvc.perform(post("/hooks").headers(headers).content(large)).andReturn().getResponse().getStatus())
			.isEqualTo(413);
	}

	@Test
	void webFluxPassesTheEventOfAVerifiedCall() {
		WebTestClient web = WebTestClient.bindToController(new Hooks())
			.argumentResolvers((resolvers) -> resolvers.addCustomResolver(new ReactiveWebhooks(this.arguments)))
			.build();
		HttpHeaders headers = signed();
		web.post()
			.uri("/hooks")
			.headers((it) -> it.addAll(headers))
			.bodyValue(BODY)
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody(String.class)
			.isEqualTo("bounced e1");
		web.post()
			.uri("/hooks")
			.headers((it) -> it.addAll(headers))
			.bodyValue("{}")
			.exchange()
			.expectStatus()
			.isUnauthorized();
		web.post().uri("/hooks").bodyValue(BODY).exchange().expectStatus().isUnauthorized();
		web.post().uri("/hooks").headers((it) -> it.addAll(headers)).exchange().expectStatus().isUnauthorized();
	}

	private static HttpHeaders signed() {
		HttpHeaders headers = new HttpHeaders();
		WebhookCalls.sign(BODY, SECRET, "e1", Instant.now()).forEach(headers::set);
		return headers;
	}

	@RestController
	static class Hooks {

		@PostMapping("/hooks")
		String handle(@VerifiedWebhook WebhookEvent event) {
			return ((event instanceof EmailBouncedEvent) ? "bounced " : "other ") + event.id();
		}

	}

}
