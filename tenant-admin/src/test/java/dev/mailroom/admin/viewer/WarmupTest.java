package dev.mailroom.admin.viewer;

import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.admin.GraphQl;
import dev.mailroom.admin.Person;
import dev.mailroom.admin.WithAdmin;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

@WithAdmin
class WarmupTest {

	private static final String WARMUP = "warmup { day allowance usedToday resetsAt endsAt allowances }";

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	private GraphQl client;

	private UUID domain;

	private String campaign;

	@BeforeEach
	void aCampaignOfADomain() {
		Person person = Person.in(this.context);
		this.client = GraphQl.at(this.port).as(person);
		this.domain = Given.domain(person.account());
		String book = this.client.change("createContactBook", "(input: { name: \"b\" })", "contactBook { id }")
			.path("contactBook")
			.path("id")
			.asString();
		this.campaign = this.client
			.change("createCampaign",
					"(input: { name: \"c\", from: \"a@" + this.domain + ".test\", subject: \"s\", textContent: \"x\", "
							+ "contactBookId: \"" + book + "\" })",
					"campaign { id }")
			.path("campaign")
			.path("id")
			.asString();
	}

	@Test
	void aWarmUpIsShownByItsDomainAndTheCampaignsOfTheDomain() {
		JsonNode started = this.client
			.change("startDomainWarmup", "(id: \"" + this.domain + "\")", "domain { " + WARMUP + " warmupPlan }")
			.path("domain");
		JsonNode warmup = started.path("warmup");
		assertThat(warmup.path("day").asInt()).isEqualTo(1);
		assertThat(warmup.path("allowance").asLong()).isEqualTo(200);
		assertThat(warmup.path("usedToday").asLong()).isZero();
		assertThat(warmup.path("allowances")).isEqualTo(started.path("warmupPlan"));
		Given.run("update domain_warmup set day = 1, used = 200, counted_on = (now() at time zone 'UTC')::date "
				+ "where domain_id = '%s'", this.domain);
		JsonNode viewer = viewer();
		assertThat(viewer.path("domain").path("warmup").path("usedToday").asLong()).isEqualTo(200);
		assertThat(viewer.path("campaign").path("warmup")).isEqualTo(viewer.path("domain").path("warmup"));
		assertThat(viewer.path("campaigns").path("nodes").path(0).path("warmup"))
			.isEqualTo(viewer.path("domain").path("warmup"));
	}

	@Test
	void afterItsEndNoneIsShown() {
		this.client.change("startDomainWarmup", "(id: \"" + this.domain + "\")", "domain { id }");
		assertThat(this.client.change("stopDomainWarmup", "(id: \"" + this.domain + "\")", "domain { " + WARMUP + " }")
			.path("domain")
			.path("warmup")
			.isNull()).isTrue();
		assertThat(viewer().path("campaign").path("warmup").isNull()).isTrue();
		assertThat(this.client.userError("startDomainWarmup", "(id: \"" + UUID.randomUUID() + "\")"))
			.isEqualTo("domain_not_found");
	}

	private JsonNode viewer() {
		return this.client
			.data("{ viewer { domain(id: \"" + this.domain + "\") { " + WARMUP + " } campaign(id: \"" + this.campaign
					+ "\") { " + WARMUP + " } campaigns { nodes { " + WARMUP + " } } } }")
			.path("viewer");
	}

}
