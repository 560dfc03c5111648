package dev.mailroom.admin.account;

import java.util.List;

import dev.mailroom.Given;
import dev.mailroom.account.DevicePoll;
import dev.mailroom.account.DeviceSignIn;
import dev.mailroom.account.DeviceSignIns;
import dev.mailroom.admin.GraphQl;
import dev.mailroom.admin.Person;
import dev.mailroom.admin.WithAdmin;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/** Answers to programs that ask for an API key. */
@WithAdmin
class DeviceTest {

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	@Autowired
	DeviceSignIns signIns;

	@Test
	void aPersonSeesAProgramAndApprovesIt() {
		Person person = Person.in(this.context);
		GraphQl owner = GraphQl.at(this.port).as(person);
		DeviceSignIn.Codes codes = await(this.signIns.start("shop-cli", List.of("usage.read")));
		assertThat(owner.data("{ viewer { deviceSignIn(code: \"" + codes.user() + "\") { program requested } } }")
			.toString()).contains("shop-cli", "USAGE_READ");
		owner.change("approveDeviceSignIn",
				"(input: { code: \"" + codes.user()
						+ "\", name: \"Shop\", permissions: [USAGE_READ], expiresAt: \"2099-01-01T00:00:00Z\" })",
				"done");
		assertThat(await(this.signIns.poll(codes.device(), "shop-cli")))
			.isInstanceOfSatisfying(DevicePoll.Granted.class, (granted) -> {
				assertThat(granted.issued().key().accountId()).isEqualTo(person.account());
				assertThat(granted.issued().key().permissions()).containsExactly("usage.read");
			});
	}

	@Test
	void aPersonRefusesAProgramAndAViewerCanDoNeither() {
		Person person = Person.in(this.context);
		GraphQl owner = GraphQl.at(this.port).as(person);
		DeviceSignIn.Codes codes = await(this.signIns.start("shop-cli", List.of()));
		Person viewer = Person.in(this.context);
		Given.run("update member set account_id = '%s', role = 'viewer' where person_id = '%s'", person.account(),
				viewer.account());
		String deny = "mutation { denyDeviceSignIn(code: \"" + codes.user() + "\") { done } }";
		assertThat(GraphQl.at(this.port).as(viewer).error(deny).path("name").asString()).isEqualTo("forbidden");
		owner.change("denyDeviceSignIn", "(code: \"" + codes.user() + "\")", "done");
		assertThat(await(this.signIns.poll(codes.device(), "shop-cli"))).isInstanceOf(DevicePoll.Denied.class);
		assertThat(owner.userError("denyDeviceSignIn", "(code: \"" + codes.user() + "\")"))
			.isEqualTo("invalid_request_data");
	}

}
