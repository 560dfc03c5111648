package dev.mailroom.standalone.demo;

import java.io.IOException;
import java.util.Map;
import java.util.UUID;

import tools.jackson.databind.JsonNode;

/**
 * The operator of the demo, signed in: plans, a suspended account and a held destination.
 */
final class DemoOperator {

	/** Recipient domain whose mail waits. */
	static final String HELD = "moving.example";

	private final Rest admin;

	private final String session;

	private DemoOperator(Rest admin, String session) {
		this.admin = admin;
		this.session = session;
	}

	static DemoOperator signIn(Rest admin, DemoTarget.Credentials person) throws IOException, InterruptedException {
		JsonNode signedIn = admin.post("/graphql",
				Map.of("query", "mutation ($input: SignInInput!) { signIn(input: $input) { accessToken } }",
						"variables", Map.of("input", Map.of("email", person.email(), "password", person.password()))));
		String session = signedIn.at("/data/signIn/accessToken").asString("");
		if (session.isEmpty()) {
			throw new IOException("MAILROOM_DEMO needs an operator who signs in by password alone when it fills the "
					+ "account: unset MAILROOM_OPERATOR_TOTP for that start");
		}
		return new DemoOperator(admin, session);
	}

	void choosePlan(UUID account, String plan) throws IOException, InterruptedException {
		act("operatorSetAccountPlan", "SetPlanInput", Map.of("account", account, "plan", plan));
	}

	/** Registers another account and suspends it. */
	void suspendAnother(Rest api) throws IOException, InterruptedException {
		JsonNode registered = api.post("/api/auth/register", Map.of("email", "office@lantern.example", "password",
				UUID.randomUUID().toString(), "name", "Lantern Events"));
		UUID account = UUID.fromString(registered.at("/data/user/id").asString());
		act("operatorSuspendAccount", "AccountReasonInput",
				Map.of("account", account, "reason", "The addresses were bought. Send us where you got them."));
		act("operatorAddAccountNote", "AddNoteInput",
				Map.of("account", account, "note", "Called them: they clean the list until Thursday."));
	}

	/** Holds the mail to one recipient domain. */
	void hold() throws IOException, InterruptedException {
		act("operatorHoldDestination", "HoldDestinationInput",
				Map.of("destination", HELD, "reason", "Their servers move until Monday"));
	}

	private void act(String mutation, String type, Map<String, Object> input) throws IOException, InterruptedException {
		JsonNode response = this.admin.post(this.session, "/graphql", Map.of("query",
				"mutation ($input: %s!) { %s(input: $input) { userErrors { message } } }".formatted(type, mutation),
				"variables", Map.of("input", input)));
		JsonNode errors = response.at("/data/" + mutation + "/userErrors");
		if (!errors.isArray() || !errors.isEmpty()) {
			throw new IOException("The operator of the demo account is refused: " + response);
		}
	}

}
