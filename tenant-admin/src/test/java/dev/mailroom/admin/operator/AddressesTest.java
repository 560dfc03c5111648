package dev.mailroom.admin.operator;

import dev.mailroom.Given;
import dev.mailroom.admin.GraphQl;
import dev.mailroom.admin.Person;
import dev.mailroom.admin.WithAdmin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** Results of the checks of sending addresses, and the request for a check. */
@WithAdmin
class AddressesTest {

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	Person operator;

	GraphQl client;

	@BeforeEach
	void results() {
		this.operator = Person.operator(this.context);
		this.client = GraphQl.at(this.port).as(this.operator);
		Given
			.run("""
					insert into address_check (subject, kind, list, result, detail, since, checked_at) values
					('192.0.2.1', 'ptr', '', 'ok', 'Has one.', now(), now()),
					('192.0.2.1', 'list', 'SpamCop', 'failed', 'Listed.', now(), now()),
					('listed.test', 'domain', 'Spamhaus DBL', 'unknown', 'The list did not answer.', now(), now());
					insert into block_list values ('SpamCop', 'bl.spamcop.net', 'address', 'high', 'https://a.test', 'on', now())
					""");
	}

	@AfterEach
	void remove() {
		Given.run("delete from address_check; delete from block_list");
	}

	@Test
	void operatorsSeeTheWorstResultFirstWithItsFixAndInTheHealthChecks() {
		JsonNode shown = this.client.data(
				"{ operator { addressChecks { subject kind list result detail fix } blockLists { name kind severity state } "
						+ "healthChecks { name result finding } } }")
			.path("operator");
		assertThat(shown.path("addressChecks").valueStream().map((check) -> check.path("kind").asString()))
			.containsExactly("LIST", "PTR", "DOMAIN");
		assertThat(shown.path("addressChecks").path(0).path("fix").asString()).contains("removal");
		assertThat(shown.path("addressChecks").path(1).path("fix").asString()).isEmpty();
		assertThat(shown.path("blockLists").toString())
			.isEqualTo("[{\"name\":\"SpamCop\",\"kind\":\"ADDRESS\",\"severity\":\"HIGH\",\"state\":\"ON\"}]");
		assertThat(shown.path("healthChecks").toString()).contains(
				"{\"name\":\"block lists\",\"result\":\"FAILED\",\"finding\":\"1 finding, the first about 192.0.2.1 "
						+ "(SpamCop): Listed.\"}",
				"{\"name\":\"reverse dns and spf\",\"result\":\"OK\"");
	}

	@Test
	void aCheckIsAskedForWithAnAuditRowAndAnUnknownAddressIsRefused() {
		this.client.change("operatorCheckAddress", "(address: \"192.0.2.1\")", "checked");
		assertThat(Given.rows("select distinct requested::text from address_check where subject = '192.0.2.1'"))
			.containsExactly("true");
		assertThat(this.client.userError("operatorCheckAddress", "(address: \"192.0.2.2\")")).isEqualTo("not_found");
		assertThat(Given.rows("select act || ' ' || target from audit where actor_id = '%s'", this.operator.account()))
			.containsExactly("address.checked 192.0.2.1");
	}

}
