package dev.mailroom.admin.operator;

import java.util.UUID;

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
	void operatorsSeeTheForwardsOfAccountsWithTheReasonsOfRefusals() {
		UUID quiet = Given.account("free");
		UUID loud = Given.account("free");
		Given.run(
				"""
						insert into forward_hour values
						('%1$s', '%1$s', now(), 'queued', 7), ('%1$s', '%1$s', now() - interval '3 hours', 'queued', 5),
						('%2$s', '%2$s', now(), 'loop', 1001), ('%2$s', '%2$s', now(), 'virus', 2), ('%2$s', '%2$s', now(), 'limit', 3),
						('%2$s', '%2$s', now(), 'not_confirmed', 4), ('%2$s', '%2$s', now(), 'refused', 5);
						insert into forward_target values (gen_random_uuid(), '%1$s', 'a@b.test', 'a@b.test', now(), now()),
						(gen_random_uuid(), '%1$s', 'b@b.test', 'b@b.test', null, now())
						""",
				quiet, loud);
		String fields = "{ accountId account queued loops viruses limited unconfirmed refused confirmedTargets waitingTargets }";
		JsonNode shown = this.client
			.data("{ operator { lately: forwards(hours: 2) " + fields + " day: forwards " + fields + " } }")
			.path("operator");
		assertThat(shown.path("lately").path(0).toString()).isEqualTo("{\"accountId\":\"" + loud + "\",\"account\":\""
				+ Given.rows("select email from account where id = '%s'", loud).getFirst()
				+ "\",\"queued\":0,\"loops\":1001,\"viruses\":2,\"limited\":3,\"unconfirmed\":4,\"refused\":5,"
				+ "\"confirmedTargets\":0,\"waitingTargets\":0}");
		assertThat(shown.path("lately").toString()).contains("\"queued\":7,",
				"\"confirmedTargets\":1,\"waitingTargets\":1");
		assertThat(shown.path("day").toString()).contains("\"queued\":12,");
		assertThat(this.client.error("{ operator { forwards(hours: 721) { queued } } }").path("name").asString())
			.isEqualTo("invalid_request_data");
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
