package dev.mailroom.load.installation;

import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;

/** The operator, who sets the plans of accounts. */
final class Operator {

	private final Target target;

	Operator(Target target) {
		this.target = target;
	}

	void setPlan(String account, String plan) {
		String password = this.target.text("operator.password", "");
		if (password.isEmpty()) {
			throw new IllegalStateException("The simulation needs an account with the plan " + plan
					+ ": start Mailroom with MAILROOM_DEFAULT_PLAN=" + plan + ", or give the operator's password, "
					+ "which the standalone prints at its first start, as -Dload.operator.password=…");
		}
		String email = this.target.text("operator.email", "operator@mailroom.localhost");
		String token = new Client(this.target.api(), () -> "")
			.post("/api/auth/login", Map.of("email", email, "password", password))
			.at("/data/access_token")
			.asText();
		JsonNode response = new Client(this.target.admin(), () -> token).post("/graphql", Map.of("query", """
				mutation($input: SetPlanInput!) { operatorSetAccountPlan(input: $input) { userErrors { message } } }""",
				"variables", Map.of("input", Map.of("account", account, "plan", plan))));
		if (response.has("errors") || !response.at("/data/operatorSetAccountPlan/userErrors").isEmpty()) {
			throw new IllegalStateException("The plan was not set: " + response);
		}
	}

}
