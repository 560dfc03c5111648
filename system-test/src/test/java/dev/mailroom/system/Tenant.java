package dev.mailroom.system;

import java.time.Duration;
import java.util.Map;

import tools.jackson.databind.json.JsonMapper;

/**
 * Somebody who may send without a limit: the operator's account, with a verified domain.
 *
 * @param key an API key of the domain
 * @param domain the domain's name
 */
public record Tenant(String key, String domain) {

	public static final String EMAIL = "operator@figures.test";

	public static final String PASSWORD = "correct horse battery";

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private static final String WORDS = "All work and no play makes a dull mail. ";

	/**
	 * Furnishes a domain and a key for it.
	 * @param database where the program keeps its data
	 */
	public static Tenant in(Program program, Database server, String database, String domain) throws Exception {
		try (Web web = new Web(program.apiPort())) {
			String login = json(Map.of("email", EMAIL, "password", PASSWORD));
			// The operator is made once the program is up.
			Poll.until(PATIENCE, () -> web.post("/api/auth/login", login).status() == 200);
			web.use(web.post("/api/auth/login", login).json(200).at("/data/access_token").stringValue());
			String id = web.post("/api/domains", json(Map.of("name", domain)))
				.json(201)
				.at("/data/domain/id")
				.stringValue();
			server.run(database,
					"update domain set status = 'verified', verified_at = now() where name = '" + domain + "'");
			String key = web.post("/api/api-keys", json(Map.of("domainId", id, "keyName", domain)))
				.json(201)
				.at("/data/apiKey/key")
				.stringValue();
			return new Tenant(key, domain);
		}
	}

	/** A mail with a body of 1 KiB, as the body of POST /emails. */
	public String mail() {
		return json(Map.of("from", "Ann <a@" + this.domain + ">", "to", new String[] { "b@to.test" }, "subject",
				"Your order has left", "text", WORDS.repeat(1 + 1024 / WORDS.length()).substring(0, 1024)));
	}

	/** So many of them, as the body of POST /emails/batch. */
	public String batch(int mails) {
		return "[" + (mail() + ",").repeat(mails - 1) + mail() + "]";
	}

	private static String json(Object value) {
		return JsonMapper.shared().writeValueAsString(value);
	}

}
