package dev.mailroom.process;

import java.time.Duration;
import java.util.Map;

import dev.mailroom.Await;
import tools.jackson.databind.json.JsonMapper;

/**
 * The operator's account, which sends without limits, with a verified domain.
 *
 * @param key API key of the domain
 * @param domain name of the domain
 */
public record Tenant(String key, String domain) {

	public static final String EMAIL = "operator@figures.test";

	public static final String PASSWORD = "correct horse battery";

	private static final Duration TIMEOUT = Duration.ofMinutes(1);

	private static final String TEXT = "All work and no play makes a dull mail.\n";

	/**
	 * Creates a domain and an API key.
	 * @param database name of the program's database
	 */
	public static Tenant in(Program program, PostgresServers server, String database, String domain) throws Exception {
		return of(EMAIL, program, server, database, domain);
	}

	/** Registers another account, which has the default plan. */
	public static Tenant another(Program program, PostgresServers server, String database, String domain)
			throws Exception {
		String email = "owner@" + domain;
		try (Web web = new Web(program.apiPort())) {
			web.post("/api/auth/register", json(Map.of("email", email, "password", PASSWORD))).json(201);
		}
		server.run(database, "update account set email_verified_at = now() where email_verified_at is null");
		return of(email, program, server, database, domain);
	}

	private static Tenant of(String email, Program program, PostgresServers server, String database, String domain)
			throws Exception {
		try (Web web = new Web(program.apiPort())) {
			String login = json(Map.of("email", email, "password", PASSWORD));
			// The operator is created after the start.
			Await.until("the operator can sign in", TIMEOUT, () -> web.post("/api/auth/login", login).status() == 200);
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

	/** Body of POST /emails: a mail with a text of 1 KiB. */
	public String mail() {
		return mailTo("b@to.test");
	}

	/** The same mail to another recipient. */
	public String mailTo(String recipient) {
		return json(Map.of("from", "Ann <a@" + this.domain + ">", "to", new String[] { recipient }, "subject",
				"Your order has left", "text", TEXT.repeat(1 + 1024 / TEXT.length()).substring(0, 1024)));
	}

	/** Body of POST /emails/batch with a number of mails. */
	public String batch(int mails) {
		return "[" + (mail() + ",").repeat(mails - 1) + mail() + "]";
	}

	private static String json(Object value) {
		return JsonMapper.shared().writeValueAsString(value);
	}

}
