package dev.mailroom.api.domain;

import java.util.UUID;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import dev.mailroom.source.PoolChoice;
import dev.mailroom.source.SendingSources;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpMethod;

import static org.assertj.core.api.Assertions.assertThat;

@WithApi
class DomainTransportTest {

	@Autowired
	Client client;

	@Autowired
	Person person;

	@Autowired
	SendingSources sources;

	@Test
	void theTransportOfADomainIsShownAndValidated() {
		String path = "/api/domains/" + Given.domain(this.person.account());
		this.client.get(this.person.token(), path)
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.data.domain.transport")
			.isEqualTo("default")
			.jsonPath("$.data.domain.require_tls")
			.isEqualTo(false);
		this.client.send(HttpMethod.PATCH, this.person.token(), path, "{\"transport\":\"mx\",\"requireTls\":true}")
			.expectStatus()
			.isForbidden()
			.expectBody()
			.jsonPath("$.error")
			.isEqualTo("Forbidden");
		this.client.send(HttpMethod.PATCH, this.person.token(), path, "{\"transport\":\"default\",\"requireTls\":true}")
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.data.domain.transport")
			.isEqualTo("default")
			.jsonPath("$.data.domain.require_tls")
			.isEqualTo(true);
		this.client.send(HttpMethod.PATCH, this.person.token(), path, "{\"transport\":\"pigeon\"}")
			.expectStatus()
			.isBadRequest()
			.expectBody()
			.jsonPath("$.error")
			.isEqualTo("Invalid request data");
	}

	@Test
	void thePoolsOfADomainsMailAreShownIfTheyAreChosen() {
		UUID domain = Given.domain(this.person.account());
		UUID other = Given.domain(this.person.account());
		assertThat(show(domain)).matches("\\{\"id\":\"" + domain + "\",\"name\":\"" + domain
				+ ".test\",\"status\":\"verified\",\"records\":\\[.*],\"open_tracking\":false,\"click_tracking\":false,"
				+ "\"transport\":\"default\",\"require_tls\":false,\"created_at\":\"[^\"]+\",\"verified_at\":null}");
		String before = show(other);
		Given.run("insert into sending_pool select name, 'wait', null, gen_random_uuid(), now() "
				+ "from unnest(array['shared', 'own']) as name");
		try {
			choose(PoolChoice.Kind.ACCOUNT, this.person.account(), false, "shared");
			choose(PoolChoice.Kind.DOMAIN, domain, false, "own");
			assertThat(show(domain)).contains("\"require_tls\":false,\"transactional_pool\":\"own\",\"created_at\":")
				.doesNotContain("campaign_pool");
			choose(PoolChoice.Kind.PLATFORM, null, true, "shared");
			assertThat(show(domain)).contains("\"transactional_pool\":\"own\",\"campaign_pool\":\"shared\"");
			this.client.get(this.person.token(), "/api/domains")
				.expectBody()
				.jsonPath("$.data.domains[?(@.id == '" + other + "')].transactional_pool")
				.isEqualTo("shared")
				.jsonPath("$.data.domains[?(@.id == '" + domain + "')].transactional_pool")
				.isEqualTo("own");
			this.client.send(HttpMethod.PATCH, this.person.token(), "/api/domains/" + domain, "{\"openTracking\":true}")
				.expectBody()
				.jsonPath("$.data.domain.campaign_pool")
				.isEqualTo("shared");
		}
		finally {
			Given.run("delete from pool_choice; delete from sending_pool");
		}
		assertThat(show(other)).isEqualTo(before);
	}

	private void choose(PoolChoice.Kind kind, @Nullable UUID key, boolean campaign, String pool) {
		Await.await(this.sources.choose(new PoolChoice(kind, (key != null) ? key.toString() : "", campaign, pool)));
	}

	private String show(UUID domain) {
		String body = this.client.get(this.person.token(), "/api/domains/" + domain)
			.expectStatus()
			.isOk()
			.expectBody(String.class)
			.returnResult()
			.getResponseBody();
		return body.substring(body.indexOf("\"domain\":") + 9, body.length() - 2);
	}

}
