package dev.mailroom.load.installation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

import com.fasterxml.jackson.databind.JsonNode;

/** An account with a verified domain and an API key. */
public final class Tenant {

	public static final String UNLIMITED = "unlimited";

	private static final String PASSWORD = "correct horse battery";

	/** Below the 15 minutes for which an access token is valid. */
	private static final Duration SESSION = Duration.ofMinutes(10);

	private static final String TEXT = "All work and no play makes a dull mail. ".repeat(26);

	private static final AtomicLong RECIPIENTS = new AtomicLong();

	private final Target target;

	private final String email;

	private final String password;

	private final String domain;

	private final String key;

	private final String recipients;

	/** Distinguishes the recipients from those of earlier runs. */
	private final String run = Long.toString(Instant.now().toEpochMilli(), 36);

	private String token = "";

	private Instant tokenExpiry = Instant.MIN;

	public Tenant(Target target, String email, String password, String domain, String keyName) {
		this.target = target;
		this.email = email;
		this.password = password;
		this.domain = domain;
		this.recipients = "@" + target.text("recipients", "recipients.test");
		this.key = client()
			.post("/api/api-keys", Map.of("domainId", domainId(), "keyName", keyName, "permissions", List.of("send")))
			.at("/data/apiKey/key")
			.asText();
	}

	/** Registers an account and verifies it with the link in the mailbox. */
	public static Tenant register(Target target, String name) {
		Client visitor = new Client(target.api(), () -> "");
		String email = "owner@" + name + ".test";
		visitor.post("/api/auth/register", Map.of("email", email, "password", PASSWORD));
		visitor.post("/api/auth/verify-email", Map.of("token", new MailboxClient(target).token(email)));
		Client owner = new Client(target.api(), accessToken(target, email, PASSWORD)::asText);
		String id = owner.post("/api/domains", Map.of("name", name + ".test")).at("/data/domain/id").asText();
		owner.post("/api/domains/" + id + "/verify", Map.of());
		return new Tenant(target, email, PASSWORD, name + ".test", name);
	}

	private static JsonNode accessToken(Target target, String email, String password) {
		return new Client(target.api(), () -> "").post("/api/auth/login", Map.of("email", email, "password", password))
			.at("/data/access_token");
	}

	/** Sets the plan of the account unless it has it already; needs the operator. */
	public Tenant on(String plan) {
		JsonNode usage = client().get("/api/usage").at("/data/usage");
		if (!usage.at("/plan").asText().equals(plan)) {
			new Operator(this.target).setPlan(client().get("/api/auth/me").at("/data/user/id").asText(), plan);
		}
		return this;
	}

	/** Access token of the owner. */
	public synchronized String token() {
		if (Instant.now().isAfter(this.tokenExpiry)) {
			this.token = accessToken(this.target, this.email, this.password).asText();
			this.tokenExpiry = Instant.now().plus(SESSION);
		}
		return this.token;
	}

	/** Client with the owner's access token. */
	public Client client() {
		return new Client(this.target.api(), this::token);
	}

	/** Client with the API key. */
	public Client sender() {
		return new Client(this.target.api(), () -> this.key);
	}

	public String key() {
		return this.key;
	}

	public String domain() {
		return this.domain;
	}

	private String domainId() {
		for (JsonNode each : client().get("/api/domains").at("/data/domains")) {
			if (each.at("/name").asText().equals(this.domain)) {
				return each.at("/id").asText();
			}
		}
		throw new IllegalStateException(this.email + " has no domain " + this.domain);
	}

	/**
	 * Address of a recipient that no other mail has. It is also valid in the sandbox,
	 * where mail to such an address is delivered.
	 */
	String recipient() {
		return "delivered+" + this.run + "-" + RECIPIENTS.incrementAndGet() + this.recipients;
	}

	/** Fields of a mail with a text of 1 KiB to a recipient of its own. */
	public Map<String, Object> mail() {
		return Map.of("from", "Load <load@" + this.domain + ">", "to", List.of(recipient()), "subject",
				"Your order has left", "text", TEXT);
	}

	/** A number of such mails. */
	public List<Map<String, Object>> mails(int count) {
		return LongStream.range(0, count).mapToObj((_) -> mail()).toList();
	}

	/** Creates a contact book with a number of contacts and returns its id. */
	public String contactBook(int contacts) {
		String id = client().post("/api/contact-books", Map.of("name", "Load")).at("/data/contactBook/id").asText();
		for (int saved = 0; saved < contacts; saved += 1000) {
			client().post("/api/contact-books/" + id + "/contacts/bulk", contacts(Math.min(1000, contacts - saved)));
		}
		return id;
	}

	/** A number of new contacts. */
	public List<Map<String, Object>> contacts(int count) {
		List<Map<String, Object>> contacts = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			contacts.add(Map.of("email", recipient(), "firstName", "Ada", "lastName", "Contact " + i, "properties",
					Map.of("city", (i % 2 == 0) ? "Graz" : "Linz")));
		}
		return contacts;
	}

}
