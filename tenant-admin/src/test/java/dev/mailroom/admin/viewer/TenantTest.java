package dev.mailroom.admin.viewer;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.admin.GraphQl;
import dev.mailroom.admin.Person;
import dev.mailroom.admin.WithAdmin;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** Queries and mutations of a tenant on its own data. */
@WithAdmin
class TenantTest {

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	Person person;

	GraphQl client;

	@BeforeEach
	void person() {
		this.person = Person.in(this.context);
		this.client = GraphQl.at(this.port).as(this.person);
	}

	@Test
	void aDomainIsCreatedChangedAndDeletedWithAuditRows() {
		String name = UUID.randomUUID() + ".example";
		JsonNode domain = this.client
			.change("createDomain", "(input: { name: \"" + name + "\" })",
					"domain { id name status records { type host value status } }")
			.path("domain");
		assertThat(domain.path("status").asString()).isEqualTo("PENDING");
		assertThat(domain.path("records").size()).isGreaterThan(3);
		String id = domain.path("id").asString();
		assertThat(this.client.userError("createDomain", "(input: { name: \"" + name + "\" })"))
			.isEqualTo("duplicate_name");
		assertThat(this.client
			.change("updateDomain", "(input: { id: \"" + id + "\", openTracking: true, transport: DEFAULT })",
					"domain { openTracking transport }")
			.path("domain")
			.toString()).isEqualTo("{\"openTracking\":true,\"transport\":\"DEFAULT\"}");
		JsonNode rotated = this.client.change("rotateDkim", "(id: \"" + id + "\")",
				"domain { checks { checkedAt failingSince failsAt } week { sampleSize } dkimKeys { selector active } }")
			.path("domain");
		assertThat(rotated.path("dkimKeys").valueStream().map((key) -> key.path("active").asBoolean()))
			.containsExactly(true, true, false, false);
		assertThat(rotated.path("checks").toString())
			.isEqualTo("{\"checkedAt\":null,\"failingSince\":null,\"failsAt\":null}");
		assertThat(rotated.path("week").path("sampleSize").asInt()).isZero();
		assertThat(this.client.change("deleteDomain", "(id: \"" + id + "\")", "deletedId").path("deletedId").asString())
			.isEqualTo(id);
		assertThat(this.client.userError("deleteDomain", "(id: \"" + id + "\")")).isEqualTo("domain_not_found");
		assertThat(acts()).containsExactly("domain.created", "domain.changed", "domain.dkim_rotated", "domain.deleted");
	}

	@Test
	void aKeyIsShownOnceAndRevokedWithAuditRows() {
		UUID domain = Given.domain(this.person.account());
		JsonNode created = this.client.change("createApiKey",
				"(input: { domainId: \"" + domain + "\", name: \"k\", permissions: [SEND, EMAILS_READ] })",
				"key apiKey { id prefix permissions domain { id } }");
		assertThat(created.path("key").asString()).startsWith(created.path("apiKey").path("prefix").asString());
		assertThat(created.path("apiKey").path("permissions").toString()).isEqualTo("[\"SEND\",\"EMAILS_READ\"]");
		assertThat(created.path("apiKey").path("domain").path("id").asString()).isEqualTo(domain.toString());
		String id = created.path("apiKey").path("id").asString();
		this.client.change("updateApiKey", "(input: { id: \"" + id + "\", name: \"other\" })", "apiKey { name }");
		this.client.change("revokeApiKey", "(id: \"" + id + "\")", "deletedId");
		assertThat(acts()).containsExactly("api_key.created", "api_key.changed", "api_key.revoked");
		GraphQl.at(this.port).as(created.path("key").asString()).post("{}").expectStatus().isUnauthorized();
	}

	@Test
	void aKeyIsReplacedByOneOfTheSameNameAndBothAreValidForADay() {
		UUID domain = Given.domain(this.person.account());
		JsonNode old = this.client
			.change("createApiKey",
					"(input: { domainId: \"" + domain + "\", name: \"shop\", permissions: [EMAILS_SEND] })",
					"apiKey { id prefix createdBy lastUsedFrom expiresAt }")
			.path("apiKey");
		assertThat(old.path("createdBy").asString()).isNotBlank();
		JsonNode fresh = this.client.change("rotateApiKey", "(id: \"" + old.path("id").asString() + "\")",
				"key apiKey { name permissions domainId expiresAt }");
		assertThat(fresh.path("apiKey").toString()).isEqualTo("{\"name\":\"shop\",\"permissions\":[\"EMAILS_SEND\"],"
				+ "\"domainId\":\"" + domain + "\",\"expiresAt\":null}");
		assertThat(Given.rows("select name || ' ' || (expires_at between now() + interval '23 hours' and now() + "
				+ "interval '24 hours') from api_key where id = '%s'", old.path("id").asString()))
			.containsExactly("shop " + old.path("prefix").asString() + " true");
		assertThat(acts()).containsExactly("api_key.created", "api_key.created");
	}

	@Test
	void aKeyOfTheAccountHasNoDomainAndExpires() {
		JsonNode created = this.client.change("createApiKey",
				"(input: { account: true, name: \"k\", permissions: [TEMPLATES_WRITE, CAMPAIGNS_SEND], "
						+ "expiresAt: \"2999-01-01T00:00:00Z\" })",
				"key apiKey { permissions domainId domain { id } expiresAt }");
		assertThat(created.path("apiKey").toString()).isEqualTo("{\"permissions\":[\"TEMPLATES_WRITE\","
				+ "\"CAMPAIGNS_SEND\"],\"domainId\":null,\"domain\":null,\"expiresAt\":\"2999-01-01T00:00:00.000Z\"}");
		UUID domain = Given.domain(this.person.account());
		this.client.change("createApiKey", "(input: { domainId: \"" + domain + "\", name: \"l\" })", "key");
		assertThat(this.client.data("{ viewer { apiKeys { nodes { name domain { id } } } } }").toString())
			.contains("{\"name\":\"k\",\"domain\":null}", "{\"name\":\"l\",\"domain\":{\"id\":\"" + domain + "\"}}");
		assertThat(this.client.userError("createApiKey", "(input: { name: \"m\" })")).isEqualTo("invalid_request_data");
		assertThat(this.client.userError("createApiKey",
				"(input: { account: true, domainId: \"" + domain + "\", name: \"m\", permissions: [SEND] })"))
			.isEqualTo("invalid_request_data");
	}

	@Test
	void aDeveloperGivesAKeyOnlyWhatTheRolePermits() {
		Person developer = Person.in(this.context);
		Given.run("update member set account_id = '%s', role = 'developer' where person_id = '%s'",
				this.person.account(), developer.account());
		GraphQl theirs = GraphQl.at(this.port).as(developer);
		theirs.change("createApiKey", "(input: { account: true, name: \"k\", permissions: [CAMPAIGNS_READ] })", "key");
		assertThat(theirs.userError("createApiKey",
				"(input: { account: true, name: \"l\", permissions: [CAMPAIGNS_SEND] })"))
			.isEqualTo("forbidden");
		String powerful = this.client
			.change("createApiKey", "(input: { account: true, name: \"m\", permissions: [CAMPAIGNS_SEND] })",
					"apiKey { id }")
			.at("/apiKey/id")
			.asString();
		assertThat(theirs.userError("rotateApiKey", "(id: \"" + powerful + "\")")).isEqualTo("forbidden");
	}

	@Test
	void anApiKeyIsForbidden() {
		UUID domain = Given.domain(this.person.account());
		String key = this.client.change("createApiKey", "(input: { domainId: \"" + domain + "\", name: \"k\" })", "key")
			.path("key")
			.asString();
		GraphQl.at(this.port).as(key).post(GraphQl.body("{ __typename }", Map.of())).expectStatus().isForbidden();
	}

	@Test
	void anEndpointIssuesItsSecretOnceWithAuditRows() {
		JsonNode created = this.client.change("createWebhookEndpoint",
				"(input: { url: \"https://example.com/hook\", events: [\"email.delivered\"], svixHeaders: true })",
				"secret webhookEndpoint { id active svixHeaders }");
		assertThat(created.path("secret").asString()).startsWith("whsec_");
		assertThat(created.at("/webhookEndpoint/svixHeaders").asBoolean()).isTrue();
		String id = created.path("webhookEndpoint").path("id").asString();
		assertThat(this.client
			.change("updateWebhookEndpoint", "(input: { id: \"" + id + "\", active: false, svixHeaders: false })",
					"webhookEndpoint { active svixHeaders }")
			.path("webhookEndpoint")).hasToString("{\"active\":false,\"svixHeaders\":false}");
		this.client.change("rotateWebhookSecret", "(id: \"" + id + "\")", "secret");
		String call = this.client.change("testWebhookEndpoint", "(id: \"" + id + "\")", "call { id kind status }")
			.path("call")
			.path("id")
			.asString();
		this.client.change("redeliverWebhookCall", "(id: \"" + call + "\")", "call { status }");
		Given.run("insert into webhook_attempt (id, account_id, delivery_id, error, took_ms, attempted_at) "
				+ "select gen_random_uuid(), account_id, id, 'no', 7, now() from webhook_delivery where id = '%s'",
				call);
		JsonNode calls = this.client.data(
				"query($id: UUID!) { viewer { webhookCalls(endpointId: $id, first: 5) { totalCount nodes { kind status "
						+ "attempts { status error tookMs } } } } }",
				Map.of("id", id))
			.path("viewer")
			.path("webhookCalls");
		assertThat(calls.toString())
			.isEqualTo("{\"totalCount\":1,\"nodes\":[{\"kind\":\"webhook.test\",\"status\":\"PENDING\","
					+ "\"attempts\":[{\"status\":null,\"error\":\"no\",\"tookMs\":7}]}]}");
		Given.run("update webhook_delivery set attempt = 1, body = '{}' where id = '%s'", call);
		assertThat(this.client
			.data("query($id: UUID!, $call: UUID!) { viewer { webhookEndpoint(id: $id) { recent { delivered failed } } "
					+ "webhookCall(id: $call) { body } } }", Map.of("id", id, "call", call))
			.path("viewer")
			.toString()).isEqualTo(
					"{\"webhookEndpoint\":{\"recent\":{\"delivered\":0,\"failed\":1}},\"webhookCall\":{\"body\":\"{}\"}}");
		assertThat(this.client
			.change("recoverWebhookCalls", "(input: { endpointId: \"" + id + "\", since: \"2026-01-01T00:00:00Z\" })",
					"count more")
			.path("count")
			.asInt()).isZero();
		this.client.change("deleteWebhookEndpoint", "(id: \"" + id + "\")", "deletedId");
		assertThat(acts()).containsExactly("webhook.created", "webhook.changed", "webhook.secret_rotated",
				"webhook.deleted");
	}

	@Test
	void theAudienceOfACampaignIsCountedWithItsFilter() {
		String book = this.client.change("createContactBook", "(input: { name: \"b\" })", "contactBook { id }")
			.path("contactBook")
			.path("id")
			.asString();
		this.client.change("saveContacts", "(input: { contactBookId: \"" + book
				+ "\", contacts: [{ email: \"a@c.test\", properties: { city: \"Graz\" } }, "
				+ "{ email: \"b@c.test\", properties: { city: \"Graz\", vip: true } }, { email: \"c@c.test\" }, "
				+ "{ email: \"d@c.test\", subscribed: false, properties: { city: \"Graz\" } }] })", "added");
		this.client.change("addSuppression", "(input: { email: \"B@c.test\" })", "suppression { id }");
		String query = "query($book: UUID!, $filter: JSON) { viewer { campaignAudience(contactBookId: $book, "
				+ "filter: $filter) { contacts subscribed recipients suppressed properties } } }";
		assertThat(audience(query, Map.of("book", book))).isEqualTo(
				"{\"contacts\":4,\"subscribed\":3,\"recipients\":3,\"suppressed\":1,\"properties\":[\"city\",\"vip\"]}");
		assertThat(audience(query, Map.of("book", book, "filter", Map.of("property", "city", "equals", "Graz"))))
			.startsWith("{\"contacts\":4,\"subscribed\":3,\"recipients\":2,\"suppressed\":1");
		Map<Map<String, Object>, Integer> recipients = new LinkedHashMap<>();
		recipients.put(Map.of("property", "city", "is_not", "Graz"), 1);
		recipients.put(Map.of("property", "city", "contains", "RA"), 2);
		recipients.put(Map.of("property", "city", "starts_with", "gr"), 2);
		recipients.put(Map.of("property", "vip", "exists", false), 2);
		recipients.put(Map.of("property", "city", "before", "2026-01-01"), 0);
		recipients.put(Map.of("all",
				List.of(Map.of("property", "city", "exists", true), Map.of("not_clicked", Map.of("within_days", 30)))),
				2);
		recipients.put(Map.of("clicked", Map.of("campaign_id", UUID.randomUUID().toString())), 0);
		UUID campaign = UUID.randomUUID();
		reach(book, campaign);
		recipients.put(Map.of("opened", Map.of("campaign_id", campaign.toString())), 1);
		recipients.put(Map.of("not_opened", Map.of("campaign_id", campaign.toString())), 2);
		recipients.put(Map.of("opened", Map.of("within_days", 30)), 0);
		recipients.forEach(
				(filter, count) -> assertThat(audience(query, Map.of("book", book, "filter", filter))).as("" + filter)
					.contains("\"recipients\":" + count + ","));
		assertThat(this.client
			.data("query($book: UUID!) { viewer { campaignAudience(contactBookId: $book) { estimated samples } } }",
					Map.of("book", book))
			.findPath("campaignAudience")
			.toString()).isEqualTo("{\"estimated\":false,\"samples\":{\"vip\":[\"true\"],\"city\":[\"Graz\"]}}");
		assertThat(
				this.client.send(query, Map.of("book", book, "filter", Map.of("clicked", Map.of("within_days", 1.5))))
					.toString())
			.contains("filter.clicked.within_days");
	}

	/** A campaign whose mail one contact of the book has opened, and another has not. */
	private void reach(String book, UUID campaign) {
		Scope sender = Scope.of(this.person.account(), Given.domain(this.person.account()), this.person.account());
		for (String address : List.of("a@c.test", "c@c.test")) {
			UUID mail = Given.mail(sender, address);
			Given.run("update email set open_count = %d where id = '%s'", address.startsWith("a") ? 1 : 0, mail);
			Given.run("insert into campaign_recipient (campaign_id, contact_id, account_id, email_id) "
					+ "select '%s', id, account_id, '%s' from contact where contact_book_id = '%s' and email = '%s'",
					campaign, mail, book, address);
		}
	}

	@Test
	void theAudienceOfALargeBookIsEstimated() {
		String book = this.client.change("createContactBook", "(input: { name: \"b\" })", "contactBook { id }")
			.at("/contactBook/id")
			.asString();
		Given
			.run("insert into contact (id, account_id, contact_book_id, email, email_key, properties, created_at, updated_at) "
					+ "select gen_random_uuid(), '%1$s', '%2$s', 'x' || i || '@d.test', 'x' || i || '@d.test', "
					+ "jsonb_build_object('odd', i %% 2 = 1), now() + i * interval '1 ms', now() from generate_series(1, 200) i; "
					+ "update contact_book set contacts = 1000000 where id = '%2$s'", this.person.account(), book);
		assertThat(this.client.data(
				"query($book: UUID!, $filter: JSON) { viewer { campaignAudience(contactBookId: $book, filter: $filter) "
						+ "{ estimated contacts recipients } } }",
				Map.of("book", book, "filter", Map.of("property", "odd", "equals", true)))
			.findPath("campaignAudience")
			.toString()).isEqualTo("{\"estimated\":true,\"contacts\":1000000,\"recipients\":500000}");
	}

	@Test
	void aSegmentIsSavedByItsNameAndDeleted() {
		String save = "mutation($name: String!, $filter: JSON!) { saveSegment(input: { name: $name, filter: $filter }) "
				+ "{ segment { id name filter } userErrors { field } } }";
		Map<String, Object> graz = Map.of("property", "city", "equals", "Graz");
		String id = this.client.data(save, Map.of("name", "Locals", "filter", graz)).findPath("id").asString();
		assertThat(this.client
			.data(save, Map.of("name", " Locals ", "filter", Map.of("property", "city", "contains", "a")))
			.findPath("segment")
			.toString())
			.isEqualTo("{\"id\":\"" + id
					+ "\",\"name\":\"Locals\",\"filter\":{\"contains\":\"a\",\"property\":\"city\"}}");
		assertThat(this.client.data(save, Map.of("name", "x", "filter", Map.of("property", "city", "like", "a")))
			.toString()).contains("\"field\":\"filter\"");
		assertThat(this.client.data("{ viewer { segments { name } } }").findPath("segments").toString())
			.isEqualTo("[{\"name\":\"Locals\"}]");
		this.client.change("deleteSegment", "(id: \"" + id + "\")", "deletedId");
		assertThat(this.client.data("{ viewer { segments { name } } }").findPath("segments").isEmpty()).isTrue();
	}

	private String audience(String query, Map<String, Object> variables) {
		return this.client.data(query, variables).path("viewer").path("campaignAudience").toString();
	}

	@Test
	void aCampaignIsShownForEachOfItsRecipients() {
		String campaign = campaign("first_name|friend",
				"{ email: \"a@c.test\", firstName: \"Ann\", properties: { city: \"Graz\" } }, "
						+ "{ email: \"b@c.test\", subscribed: false, properties: { city: \"Graz\" } }, "
						+ "{ email: \"c@c.test\", properties: { city: \"Wien\" } }, "
						+ "{ email: \"d@c.test\", properties: { city: \"Graz\" } }");
		List<JsonNode> recipients = new ArrayList<>();
		for (JsonNode shown = preview(campaign, "NEXT", null); !shown.isNull(); shown = preview(campaign, "NEXT",
				shown.path("contactId").asString())) {
			recipients.add(shown);
		}
		assertThat(recipients)
			.extracting((shown) -> shown.path("email").asString() + ": " + shown.path("subject").asString())
			.containsExactlyInAnyOrder("a@c.test: Hello Ann", "d@c.test: Hello friend");
		assertThat(preview(campaign, "PREVIOUS", recipients.getLast().path("contactId").asString()))
			.isEqualTo(recipients.getFirst());
		assertThat(preview(campaign, "EMPTY", null).path("subject").asString()).isEqualTo("Hello friend");
		assertThat(preview(campaign, "SAMPLE", null).path("subject").asString()).isEqualTo("Hello Ann");
	}

	@Test
	void aStartAfterAWhileCanBeTakenBack() {
		String campaign = campaign("email", "{ email: \"a@c.test\", properties: { city: \"Graz\" } }");
		String start = "(id: \"" + campaign + "\", delaySeconds: %d)";
		assertThat(this.client.change("startCampaign", start.formatted(20), "campaign { status }").toString())
			.contains("SCHEDULED");
		assertThat(this.client.change("unscheduleCampaign", "(id: \"" + campaign + "\")", "campaign { status }")
			.toString()).contains("DRAFT");
		assertThat(this.client.userError("startCampaign", start.formatted(61))).isEqualTo("invalid_request_data");
	}

	private String campaign(String variable, String contacts) {
		UUID domain = Given.domain(this.person.account());
		String book = this.client.change("createContactBook", "(input: { name: \"b\" })", "contactBook { id }")
			.path("contactBook")
			.path("id")
			.asString();
		this.client.change("saveContacts", "(input: { contactBookId: \"" + book + "\", contacts: [" + contacts + "] })",
				"added");
		return this.client
			.change("createCampaign",
					"(input: { name: \"c\", from: \"a@" + domain + ".test\", subject: \"Hello {{" + variable
							+ "}}\", contactBookId: \"" + book
							+ "\", textContent: \"x\", filter: { property: \"city\", equals: \"Graz\" } })",
					"campaign { id }")
			.path("campaign")
			.path("id")
			.asString();
	}

	private JsonNode preview(String campaign, String recipient, @Nullable String from) {
		return this.client
			.data("{ viewer { campaignPreview(id: \"" + campaign + "\", recipient: " + recipient
					+ ((from != null) ? ", contactId: \"" + from + "\"" : "")
					+ ") { contactId email subject html text missing } } }", Map.of())
			.path("viewer")
			.path("campaignPreview");
	}

	@Test
	void aReceivedMailShowsItsHeader() {
		UUID mail = Given.inbound(this.person.account(), Given.domain(this.person.account()));
		assertThat(this.client
			.data("query($id: UUID!) { viewer { inboundEmail(id: $id) { headers { name value } } } }",
					Map.of("id", mail))
			.path("viewer")
			.path("inboundEmail")
			.path("headers")
			.toString()).isEqualTo("[{\"name\":\"Subject\",\"value\":\"Hello\"}]");
	}

	@Test
	void emailsAreFoundByRecipientSubjectAndId() {
		Scope sender = Scope.of(this.person.account(), Given.domain(this.person.account()), this.person.account());
		UUID first = Given.mail(sender, "first@b.test");
		UUID second = Given.mail(sender, "second@b.test");
		for (String search : new String[] { "FIRST@b", first.toString() }) {
			JsonNode found = this.client
				.data("query($s: String) { viewer { emails(search: $s) { totalCount nodes { id toEmails } } } }",
						Map.of("s", search))
				.path("viewer")
				.path("emails");
			assertThat(found.path("nodes").size()).isEqualTo(1);
			assertThat(found.path("nodes").path(0).path("id").asString()).isEqualTo(first.toString());
			assertThat(found.path("totalCount").isNull()).isTrue();
		}
		JsonNode page = this.client.data(
				"{ viewer { emails(first: 1, search: \"hello\") { pageInfo { hasNextPage endCursor } nodes { id } } } }")
			.path("viewer")
			.path("emails");
		assertThat(page.path("nodes").path(0).path("id").asString()).isEqualTo(second.toString());
		assertThat(page.path("pageInfo").path("hasNextPage").asBoolean()).isTrue();
		assertThat(this.client
			.data("query($c: String) { viewer { emails(first: 1, search: \"hello\", after: $c) { nodes { id } } } }",
					Map.of("c", page.path("pageInfo").path("endCursor").asString()))
			.path("viewer")
			.path("emails")
			.path("nodes")
			.path(0)
			.path("id")
			.asString()).isEqualTo(first.toString());
		assertThat(this.client.error("{ viewer { emails(search: \"x\") { nodes { id } } } }").path("name").asString())
			.isEqualTo("invalid_request_data");
		Given.run("update queue set ready = false, held = 'destination' where email_id = '%s'", first);
		JsonNode email = this.client.data(
				"query($id: UUID!) { viewer { emailContent(id: $id) { text html } email(id: $id) { status deliveries { recipient status held } attempts { id } events { kind } } } }",
				Map.of("id", first.toString()))
			.path("viewer");
		assertThat(email.toString()).isEqualTo(
				"{\"emailContent\":{\"text\":\"Hi\",\"html\":null},\"email\":{\"status\":\"PENDING\",\"deliveries\":[{\"recipient\":\"first@b.test\",\"status\":\"PENDING\",\"held\":\"DESTINATION\"}],\"attempts\":[],\"events\":[]}}");
	}

	@Test
	void emailsAreFilteredByStreamTagAndTime() {
		Scope sender = Scope.of(this.person.account(), Given.domain(this.person.account()), this.person.account());
		UUID old = Given.mail(sender, "old@b.test");
		UUID tagged = Given.mail(sender, "tagged@b.test");
		UUID campaign = Given.mail(sender, "campaign@b.test");
		Given.run("update email set created_at = now() - interval '3 hours' where id = '%s'", old);
		Given.run("update email set tags = '{\"kind\": \"shipped\"}' where id = '%s'", tagged);
		Given.run("update email set stream = 'campaign', status = 'delivered' where id = '%s'", campaign);
		String hourAgo = Instant.now().minus(Duration.ofHours(1)).toString();
		assertThat(found("stream: CAMPAIGN")).containsExactly(campaign);
		assertThat(found("stream: TRANSACTIONAL")).containsExactly(tagged, old);
		assertThat(found("tag: { name: \"kind\" }")).containsExactly(tagged);
		assertThat(found("tag: { name: \"kind\", value: \"shipped\" }, status: PENDING")).containsExactly(tagged);
		assertThat(found("tag: { name: \"kind\", value: \"lost\" }")).isEmpty();
		assertThat(found("from: \"" + hourAgo + "\"")).containsExactly(campaign, tagged);
		assertThat(found("until: \"" + hourAgo + "\", search: \"OLD@\"")).containsExactly(old);
		assertThat(found("search: \"@b.test\", status: DELIVERED")).containsExactly(campaign);
	}

	private List<UUID> found(String filter) {
		return this.client.data("{ viewer { emails(" + filter + ") { totalCount nodes { id } } } }")
			.path("viewer")
			.path("emails")
			.path("nodes")
			.valueStream()
			.map((node) -> UUID.fromString(node.path("id").asString()))
			.toList();
	}

	@Test
	void theEmailsOfTheLastHoursAreCountedByStatus() {
		UUID domain = Given.domain(this.person.account());
		Scope sender = Scope.of(this.person.account(), domain, this.person.account());
		Given.mail(sender, "waiting@b.test");
		UUID delivered = Given.mail(sender, "delivered@b.test");
		UUID scheduled = Given.mail(sender, "scheduled@b.test");
		UUID earlier = Given.mail(sender, "earlier@b.test");
		Given.run("update email set status = 'delivered', last_event = 'delivered' where id = '%s'", delivered);
		Given.run("update email set last_event = 'scheduled' where id = '%s'", scheduled);
		Given.run("update email set created_at = now() - interval '4 hours' where id = '%s'", earlier);
		JsonNode recent = this.client.data(
				"query($domain: UUID) { viewer { recentFigures(hours: 3, domainId: $domain) { complete oldestWaitingAt "
						+ "hours { accepted waiting scheduled delivered failed } } } }",
				Map.of("domain", domain))
			.path("viewer")
			.path("recentFigures");
		assertThat(recent.path("complete").asBoolean()).isTrue();
		assertThat(recent.path("oldestWaitingAt").isNull()).isFalse();
		assertThat(recent.path("hours").size()).isEqualTo(3);
		assertThat(List.of("accepted", "waiting", "scheduled", "delivered", "failed"))
			.map((field) -> recent.path("hours").valueStream().mapToInt((hour) -> hour.path(field).asInt()).sum())
			.containsExactly(3, 1, 1, 1, 0);
		assertThat(this.client.error("{ viewer { recentFigures(hours: 49) { complete } } }").path("name").asString())
			.isEqualTo("invalid_request_data");
	}

	@Test
	void theReturnedMailsOfACampaignAreListedAndTheirCausesAreCounted() {
		UUID domain = Given.domain(this.person.account());
		UUID mail = Given.mail(Scope.of(this.person.account(), domain, this.person.account()), "gone@b.test");
		String book = this.client.change("createContactBook", "(input: { name: \"c\" })", "contactBook { id }")
			.path("contactBook")
			.path("id")
			.asString();
		String campaign = this.client.change("createCampaign",
				"(input: { name: \"c\", from: \"a@%s.test\", subject: \"s\", textContent: \"x\", contactBookId: \"%s\" })"
					.formatted(domain, book),
				"campaign { id causes { count } }")
			.path("campaign")
			.path("id")
			.asString();
		Given.run("update campaign set started_at = now() - interval '1 hour', status = 'sent' where id = '%s'",
				campaign);
		Given.run("update delivery set status = 'bounced', reply = '550 5.1.1 No such user' where email_id = '%s'",
				mail);
		Given.run("update email set campaign_id = '%s', status = 'bounced' where id = '%s'", campaign, mail);
		assertThat(this.client
			.data("query($id: UUID!) { viewer { campaign(id: $id) { causes { cause meaning count } } } }",
					Map.of("id", campaign))
			.path("viewer")
			.path("campaign")
			.path("causes")
			.toString()).isEqualTo("[{\"cause\":\"5.1.1\",\"meaning\":\"The address does not exist\",\"count\":1}]");
		Given.run("update email set status = 'bounced' where id = '%s'",
				Given.mail(Scope.of(this.person.account(), domain, this.person.account()), "other@b.test"));
		assertThat(found("status: BOUNCED")).hasSize(2);
		assertThat(found("status: BOUNCED, campaignId: \"" + campaign + "\"")).containsExactly(mail);
		assertThat(found("status: BOUNCED, search: \"GONE\", domainId: \"" + domain + "\"")).containsExactly(mail);
		assertThat(found("campaignId: \"" + campaign + "\"")).containsExactly(mail);
		assertThat(found("status: FAILED, campaignId: \"" + campaign + "\"")).isEmpty();
		assertThat(this.client.data("{ viewer { emails { nodes { toEmails campaign { id name } } } } }")
			.findPath("nodes")
			.toString())
			.isEqualTo("[{\"toEmails\":[\"other@b.test\"],\"campaign\":null},"
					+ "{\"toEmails\":[\"gone@b.test\"],\"campaign\":{\"id\":\"" + campaign + "\",\"name\":\"c\"}}]");
	}

	@Test
	void theWebhookCallsOfAnEmailAreListed() {
		UUID domain = Given.domain(this.person.account());
		UUID mail = Given.mail(Scope.of(this.person.account(), domain, this.person.account()), "told@b.test");
		this.client.change("createWebhookEndpoint",
				"(input: { url: \"https://example.com/hook\", events: [\"email.delivered\"] })", "secret");
		Given.run("insert into event (id, account_id, email_id, kind, data, created_at) "
				+ "select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid()) placing substring(uuid_send('%1$s') "
				+ "from 1 for 6) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid, '%2$s', '%1$s', 'email.delivered', '{}', now()",
				mail, this.person.account());
		assertThat(this.client
			.data("query($id: UUID!) { viewer { email(id: $id) { webhookCalls { kind status attempt } } } }",
					Map.of("id", mail))
			.path("viewer")
			.path("email")
			.path("webhookCalls")
			.toString()).isEqualTo("[{\"kind\":\"email.delivered\",\"status\":\"PENDING\",\"attempt\":0}]");
	}

	@Test
	void aPersonSendsReschedulesAndCancelsMail() {
		UUID domain = Given.domain(this.person.account());
		JsonNode email = this.client.change("sendEmail",
				"(input: { from: \"Ann <a@%s.test>\", to: [\"b@c.test\"], subject: \"Hi\", text: \"Hello\", sendAt: \"2026-12-20T10:00:00+01:00\" })"
					.formatted(domain),
				"email { id lastEvent scheduledAt }")
			.path("email");
		assertThat(email.path("lastEvent").asString()).isEqualTo("scheduled");
		assertThat(email.path("scheduledAt").asString()).isEqualTo("2026-12-20T09:00:00.000Z");
		String id = email.path("id").asString();
		assertThat(this.client
			.change("rescheduleEmail", "(input: { id: \"" + id + "\", sendAt: \"2026-12-19T10:00:00Z\" })",
					"email { scheduledAt }")
			.path("email")
			.path("scheduledAt")
			.asString()).isEqualTo("2026-12-19T10:00:00.000Z");
		assertThat(this.client.change("cancelEmail", "(id: \"" + id + "\")", "email { status lastEvent }")
			.path("email")
			.toString()).isEqualTo("{\"status\":\"FAILED\",\"lastEvent\":\"cancelled\"}");
		assertThat(this.client.userError("cancelEmail", "(id: \"" + id + "\")")).isEqualTo("email_already_processed");
		assertThat(this.client.userError("sendEmail",
				"(input: { to: [\"b@c.test\"], from: \"a@other.test\", text: \"x\" })"))
			.isEqualTo("from_domain_mismatch");
	}

	@Test
	void theSessionOfTheRequestIsMarked() {
		String other = GraphQl.at(this.port)
			.change("signIn",
					"(input: { email: \"" + this.person.email() + "\", password: \"" + Person.PASSWORD + "\" })",
					"accessToken")
			.path("accessToken")
			.asString();
		String document = "{ viewer { sessions { id current } } }";
		List<String> mine = current(this.client.data(document));
		List<String> others = current(this.client.as(other).data(document));
		assertThat(mine).hasSize(1).doesNotContainAnyElementsOf(others);
		assertThat(others).hasSize(1);
	}

	/** The ids of the sessions that are marked, of two. */
	private static List<String> current(JsonNode data) {
		JsonNode sessions = data.path("viewer").path("sessions");
		assertThat(sessions.size()).isEqualTo(2);
		return sessions.valueStream()
			.filter((session) -> session.path("current").asBoolean())
			.map((session) -> session.path("id").asString())
			.toList();
	}

	@Test
	void reputationIsReportedForAPeriod() {
		Given.run("insert into reputation_day (account_id, domain_id, day, delivered) values "
				+ "('%1$s', '%1$s', '2026-03-01', 1), ('%1$s', '%1$s', '2026-03-31', 2), ('%1$s', '%1$s', '2026-04-01', 4)",
				this.person.account());
		String period = "from: \"2026-03-01\", to: \"2026-03-31\"";
		JsonNode viewer = this.client
			.data("{ viewer { reputation(" + period + ") { figures { delivered } } march: dailyFigures(" + period
					+ ") { day delivered } end: dailyFigures(days: 2, to: \"2026-04-01\") { day } } }")
			.path("viewer");
		assertThat(viewer.path("reputation").path("figures").path("delivered").asInt()).isEqualTo(3);
		assertThat(viewer.path("march").toString())
			.isEqualTo("[{\"day\":\"2026-03-01\",\"delivered\":1},{\"day\":\"2026-03-31\",\"delivered\":2}]");
		assertThat(viewer.path("end").toString()).isEqualTo("[{\"day\":\"2026-03-31\"},{\"day\":\"2026-04-01\"}]");
		for (String wrong : List.of("from: \"x\"", "to: \"+10000-01-01\"", "from: \"2026-04-01\", to: \"2026-03-01\"",
				"from: \"2026-01-01\", to: \"2026-04-01\"", "days: 0")) {
			assertThat(
					this.client.error("{ viewer { reputation(" + wrong + ") { standing } } }").path("name").asString())
				.as(wrong)
				.isEqualTo("invalid_request_data");
		}
	}

	@Test
	void aTemplateIsPublishedFromItsDraftWithItsBlocks() {
		String id = this.client
			.change("createTemplate", "(input: { name: \"d\", textContent: \"one\" })", "template { id }")
			.at("/template/id")
			.asString();
		String draft = "draft { name htmlContent textContent variables blocks }";
		assertThat(this.client
			.change("saveTemplateDraft",
					"(input: { id: \"" + id + "\", htmlContent: \"<p>{{x}}\", blocks: { version: 1 } })",
					"template { textContent htmlContent " + draft + " versions { number author byApiKey } }")
			.path("template")
			.toString())
			.isEqualTo("{\"textContent\":\"one\",\"htmlContent\":null,\"draft\":{\"name\":\"d\","
					+ "\"htmlContent\":\"<p>{{x}}\",\"textContent\":\"one\",\"variables\":[\"x\"],\"blocks\":{\"version\":1}},"
					+ "\"versions\":[{\"number\":null,\"author\":\"" + author() + "\",\"byApiKey\":false},"
					+ "{\"number\":1,\"author\":\"" + author() + "\",\"byApiKey\":false}]}");
		assertThat(this.client
			.change("publishTemplate", "(id: \"" + id + "\")",
					"template { htmlContent blocks " + draft
							+ " versions { number } version(number: 2) { htmlContent blocks } }")
			.path("template")
			.toString())
			.isEqualTo("{\"htmlContent\":\"<p>{{x}}\",\"blocks\":{\"version\":1},\"draft\":null,"
					+ "\"versions\":[{\"number\":2},{\"number\":1}],"
					+ "\"version\":{\"htmlContent\":\"<p>{{x}}\",\"blocks\":{\"version\":1}}}");
		this.client.change("saveTemplateDraft", "(input: { id: \"" + id + "\", subject: \"s\" })", "template { id }");
		assertThat(this.client.change("discardTemplateDraft", "(id: \"" + id + "\")", "template { " + draft + " }")
			.at("/template/draft")
			.isNull()).isTrue();
	}

	/** Name of the person as the history of a template shows it. */
	private String author() {
		JsonNode member = this.client.data("{ viewer { member { name email } } }").at("/viewer/member");
		return member.path("name").asString().isBlank() ? member.path("email").asString()
				: member.path("name").asString();
	}

	@Test
	void templatesContactsCampaignsAndSuppressionsAreManaged() {
		String template = this.client
			.change("createTemplate",
					"(input: { name: \"t\", subject: \"Hi {{name}}\", textContent: \"Hello {{name}}\" })",
					"template { id variables rendered(variables: { name: \"Bo\" }) { subject text missing } }")
			.path("template")
			.path("id")
			.asString();
		assertThat(this.client
			.change("updateTemplate", "(input: { id: \"" + template + "\", subject: null })",
					"template { name subject textContent }")
			.path("template")
			.toString()).isEqualTo("{\"name\":\"t\",\"subject\":null,\"textContent\":\"Hello {{name}}\"}");
		String book = this.client
			.change("createContactBook", "(input: { name: \"b\" })", "contactBook { id contactCount }")
			.path("contactBook")
			.path("id")
			.asString();
		String contact = this.client
			.change("createContact",
					"(input: { contactBookId: \"%s\", email: \"c@d.test\", firstName: \"Cy\", properties: { a: 1 } })"
						.formatted(book),
					"contact { id properties }")
			.path("contact")
			.path("id")
			.asString();
		assertThat(this.client
			.change("saveContacts",
					"(input: { contactBookId: \"%s\", contacts: [{ email: \"c@d.test\" }, { email: \"e@d.test\" }] })"
						.formatted(book),
					"added updated")
			.path("added")
			.asInt()).isEqualTo(1);
		assertThat(this.client
			.change("updateContact",
					"(input: { contactBookId: \"%s\", id: \"%s\", firstName: null })".formatted(book, contact),
					"contact { firstName properties }")
			.path("contact")
			.toString()).isEqualTo("{\"firstName\":\"\",\"properties\":{\"a\":1}}");
		assertThat(this.client.data(
				"query($id: UUID!) { viewer { contactBook(id: $id) { contactCount } contacts(contactBookId: $id, first: 1) { totalCount pageInfo { hasNextPage } } } }",
				Map.of("id", book))
			.path("viewer")
			.toString()).isEqualTo(
					"{\"contactBook\":{\"contactCount\":2},\"contacts\":{\"totalCount\":2,\"pageInfo\":{\"hasNextPage\":true}}}");
		UUID domain = Given.domain(this.person.account());
		String campaign = this.client.change("createCampaign",
				"(input: { name: \"c\", from: \"a@%s.test\", subject: \"Hi\", contactBookId: \"%s\", textContent: \"Hello {{unsubscribe_url}}\" })"
					.formatted(domain, book),
				"campaign { id status totalContacts }")
			.path("campaign")
			.path("id")
			.asString();
		assertThat(this.client.userError("pauseCampaign", "(id: \"" + campaign + "\")"))
			.isEqualTo("can_only_pause_running_campaigns");
		this.client.change("scheduleCampaign",
				"(input: { id: \"" + campaign + "\", sendAt: \"2026-12-10T00:00:00Z\" })", "campaign { status }");
		assertThat(this.client
			.change("updateCampaign", "(input: { id: \"" + campaign + "\", name: \"d\", sendAt: null })",
					"campaign { name status }")
			.path("campaign")
			.toString()).isEqualTo("{\"name\":\"d\",\"status\":\"DRAFT\"}");
		assertThat(this.client.change("startCampaign", "(id: \"" + campaign + "\")", "campaign { status }")
			.path("campaign")
			.path("status")
			.asString()).isEqualTo("RUNNING");
		this.client.change("pauseCampaign", "(id: \"" + campaign + "\")", "campaign { status }");
		assertThat(this.client.data("{ viewer { campaigns(status: PAUSED) { nodes { status } } } }")
			.path("viewer")
			.path("campaigns")
			.path("nodes")
			.toString()).isEqualTo("[{\"status\":\"PAUSED\"}]");
		String suppression = this.client
			.change("addSuppression", "(input: { email: \"X@y.test\", reason: COMPLAINT })",
					"suppression { id address reason }")
			.path("suppression")
			.path("id")
			.asString();
		assertThat(this.client.data("{ viewer { suppressions { nodes { address reason } } } }")
			.path("viewer")
			.path("suppressions")
			.path("nodes")
			.toString()).isEqualTo("[{\"address\":\"x@y.test\",\"reason\":\"COMPLAINT\"}]");
		this.client.change("removeSuppression", "(id: \"" + suppression + "\")", "deletedId");
		this.client.change("deleteCampaign", "(id: \"" + campaign + "\")", "deletedId");
		this.client.change("deleteContact", "(contactBookId: \"%s\", id: \"%s\")".formatted(book, contact),
				"deletedId");
		this.client.change("deleteContactBook", "(id: \"" + book + "\")", "deletedId");
		this.client.change("deleteTemplate", "(id: \"" + template + "\")", "deletedId");
	}

	@Test
	void inboundMailReputationAndEventsAreShown() {
		UUID domain = Given.domain(this.person.account());
		UUID mail = Given.inbound(this.person.account(), domain);
		JsonNode viewer = this.client.data("""
				query($id: UUID!) { viewer {
				  inboundEmails { nodes { subject spfVerdict } }
				  inboundEmail(id: $id) { text recipients files { filename size } email { fromEmail } }
				  reputation { standing figures { bounceRate sampleSize } advice causes { cause } }
				  dailyFigures { day delivered }
				  events { nodes { kind cursor } pageInfo { hasNextPage } }
				} }""", Map.of("id", mail.toString())).path("viewer");
		assertThat(viewer.path("inboundEmails").path("nodes").size()).isEqualTo(1);
		assertThat(viewer.path("inboundEmail").path("text").asString()).isEqualTo("Hi");
		assertThat(viewer.path("inboundEmail").path("files").path(0).path("filename").asString()).isEqualTo("a.txt");
		assertThat(viewer.path("reputation").path("standing").asString()).isEqualTo("HEALTHY");
		assertThat(viewer.path("dailyFigures").size()).isZero();
	}

	@Test
	void listsWithoutCursorsOfTheirOwnArePagedByPosition() {
		for (int i = 0; i < 5; i++) {
			this.client.change("createTemplate", "(input: { name: \"t" + i + "\", textContent: \"x\" })",
					"template { id }");
		}
		JsonNode first = page(null);
		assertThat(first.path("nodes").toString()).contains("t4", "t3");
		JsonNode second = page(first.path("edges").path(0).path("cursor").asString());
		assertThat(second.path("nodes").toString()).contains("t3", "t2");
		assertThat(second.path("pageInfo").path("hasPreviousPage").asBoolean()).isTrue();
		String later = second.path("edges").path(1).path("cursor").asString();
		assertThat(names("last: 2, before: \"" + later + "\"")).isEqualTo("[{\"name\":\"t4\"},{\"name\":\"t3\"}]");
		assertThat(names("last: 1, before: \"" + later + "\"")).isEqualTo("[{\"name\":\"t3\"}]");
		assertThat(names("first: 50, before: \"" + first.path("edges").path(0).path("cursor").asString() + "\""))
			.isEqualTo("[]");
		for (String wrong : List.of("last: 1", "last: 0, before: \"x\"", "before: \"x\"",
				"after: \"cG9zaXRpb246MQ\", before: \"cG9zaXRpb246Mw\"")) {
			assertThat(this.client.error("{ viewer { templates(" + wrong + ") { nodes { id } } } }")
				.path("name")
				.asString()).as(wrong).isEqualTo("invalid_request_data");
		}
		assertThat(this.client.error("{ viewer { templates(after: \"x\") { nodes { id } } } }").path("name").asString())
			.isEqualTo("invalid_request_data");
	}

	private String names(String arguments) {
		return this.client.data("{ viewer { templates(" + arguments + ") { nodes { name } } } }")
			.path("viewer")
			.path("templates")
			.path("nodes")
			.toString();
	}

	private JsonNode page(String after) {
		return this.client
			.data("""
					query($after: String) { viewer { templates(first: 2, after: $after) {
					  pageInfo { hasNextPage hasPreviousPage } edges { cursor } nodes { name } } } }""",
					(after != null) ? Map.of("after", after) : Map.of())
			.path("viewer")
			.path("templates");
	}

	private List<String> acts() {
		return Given.rows("select act from audit where account_id = '%s' order by id", this.person.account());
	}

}
