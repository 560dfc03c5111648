package dev.mailroom.standalone.demo;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import tools.jackson.databind.JsonNode;

/** The demo account, signed in: its domains, keys, templates and webhook endpoints. */
final class DemoAccount {

	private static final Pattern TOKEN = Pattern.compile("token=([^\\s&]+)");

	private static final int MAX_POLLS = 600;

	private final UUID id;

	private final Rest api;

	private final String session;

	private final int mailbox;

	private final Map<String, String> domains = new ConcurrentHashMap<>();

	private final Map<String, String> templates = new ConcurrentHashMap<>();

	private String key = "";

	private DemoAccount(UUID id, Rest api, String session, int mailbox) {
		this.id = id;
		this.api = api;
		this.session = session;
		this.mailbox = mailbox;
	}

	/** Registers the account, verifies its address and gives it a plan with room. */
	static DemoAccount create(DemoTarget target, DemoOperator operator, Rest api, Rest mailbox, String password)
			throws IOException, InterruptedException {
		Map<String, String> person = Map.of("email", Demo.EMAIL, "password", password, "name", "Quillmoor Press");
		api.post("/api/auth/register", person);
		api.post("/api/auth/verify-email", Map.of("token", token(mailbox)));
		JsonNode session = api.post("/api/auth/login", person).get("data");
		UUID id = UUID.fromString(session.at("/user/id").asString());
		operator.choosePlan(id, "pro");
		return new DemoAccount(id, api, session.get("access_token").asString(), target.mailbox());
	}

	private static String token(Rest mailbox) throws IOException, InterruptedException {
		for (int poll = 0; poll < MAX_POLLS; poll++) {
			for (JsonNode message : mailbox.get("/messages?to=" + Demo.EMAIL).get("messages")) {
				Matcher token = TOKEN.matcher(message.get("text").asString());
				if (token.find()) {
					return token.group(1);
				}
			}
			TimeUnit.MILLISECONDS.sleep(100);
		}
		throw new IOException("The verification mail of the demo account did not arrive in the mailbox");
	}

	UUID id() {
		return this.id;
	}

	String domain(String name) {
		return this.domains.getOrDefault(name, "");
	}

	Map<String, String> templates() {
		return this.templates;
	}

	/** Creates domains, keys, templates, suppressions and webhook endpoints. */
	void setUp() throws IOException, InterruptedException {
		ParallelSteps.run(this::addDomains, this::addTemplates, this::addEndpoints, this::addSuppressions);
	}

	private void addDomains() throws IOException, InterruptedException {
		for (String name : List.of(Letters.DOMAIN, Letters.NEWS_DOMAIN, "events.quillmoor.example")) {
			create(name);
			post("/domains/" + domain(name) + "/verify", Map.of());
			patch("/domains/" + domain(name), Map.of("open_tracking", true, "click_tracking", true));
		}
		create("shop.quillmoor.example");
		this.key = createKey("Shop", Letters.DOMAIN, List.of("send"));
		createKey("Newsletter tool", Letters.NEWS_DOMAIN, List.of("send"));
		createKey("Reporting", Letters.DOMAIN, List.of("emails.read", "analytics.read"));
	}

	private void addTemplates() throws IOException, InterruptedException {
		for (Map<String, Object> template : Letters.templates()) {
			JsonNode created = post("/templates", template).at("/data/template");
			this.templates.put(created.get("name").asString(), created.get("id").asString());
		}
	}

	private void addSuppressions() throws IOException, InterruptedException {
		for (int number : new int[] { 4301, 4302, 4303, 4305 }) {
			post("/suppressions", Map.of("email", DemoPerson.of(number).email(), "reason", "manual"));
		}
	}

	private void addEndpoints() throws IOException, InterruptedException {
		createEndpoint("orders", "", "Tells the shop about mail that did not arrive",
				List.of("email.bounced", "email.complained", "email.failed", "campaign.started", "campaign.sent"));
		createEndpoint("old-crm", "?status=410", "The customer list we used before", List.of("campaign.sent"));
		JsonNode archive = createEndpoint("archive", "", "Off until the archive has moved", List.of("email.received"));
		this.api.put(this.session, "/api/webhooks/endpoints/" + archive.get("id").asString(), Map.of("active", false));
		createEndpoint("crm", "?status=503", "Customer list", List.of("campaign.paused", "campaign.resumed"));
	}

	private void create(String name) throws IOException, InterruptedException {
		this.domains.put(name, post("/domains", Map.of("name", name)).at("/data/domain/id").asString());
	}

	private String createKey(String name, String domain, List<String> permissions)
			throws IOException, InterruptedException {
		return post("/api-keys", Map.of("keyName", name, "domainId", domain(domain), "permissions", permissions))
			.at("/data/apiKey/key")
			.asString();
	}

	private JsonNode createEndpoint(String name, String query, String description, List<String> events)
			throws IOException, InterruptedException {
		return post("/webhooks/endpoints",
				Map.of("url", "http://localhost:" + this.mailbox + "/webhooks/" + name + query, "events", events,
						"description", description))
			.at("/data/endpoint");
	}

	JsonNode post(String path, Object body) throws IOException, InterruptedException {
		return this.api.post(this.session, "/api" + path, body);
	}

	JsonNode patch(String path, Object body) throws IOException, InterruptedException {
		return this.api.patch(this.session, "/api" + path, body);
	}

	/** Sends a mail or a batch with the API key of the shop. */
	JsonNode send(String path, Object body) throws IOException, InterruptedException {
		return this.api.post(this.key, "/api" + path, body);
	}

}
