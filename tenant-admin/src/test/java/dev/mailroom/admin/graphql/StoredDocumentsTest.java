package dev.mailroom.admin.graphql;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.admin.GraphQl;
import dev.mailroom.admin.Person;
import dev.mailroom.admin.Statements;
import dev.mailroom.admin.WithAdmin;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** The documents of the web app's pages, with the number of their statements. */
@WithAdmin
class StoredDocumentsTest {

	private static final Logger log = LoggerFactory.getLogger(StoredDocumentsTest.class);

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	@Autowired
	StoredDocuments documents;

	@Autowired
	Statements statements;

	@Test
	void everyPageTakesFewStatements() {
		Person person = Person.operator(this.context);
		GraphQl client = GraphQl.at(this.port).as(person);
		var domain = Given.domain(person.account());
		Scope sender = Scope.of(person.account(), domain, person.account());
		String email = Given.mail(sender, "a@b.test").toString();
		for (int i = 0; i < 20; i++) {
			Given.mail(sender, i + "@b.test");
		}
		String book = client.change("createContactBook", "(input: { name: \"b\" })", "contactBook { id }")
			.path("contactBook")
			.path("id")
			.asString();
		String campaign = client
			.change("createCampaign",
					"(input: { name: \"c\", from: \"a@" + domain
							+ ".test\", subject: \"s\", textContent: \"x\", contactBookId: \"" + book + "\" })",
					"campaign { id }")
			.path("campaign")
			.path("id")
			.asString();
		String contact = client
			.change("createContact", "(input: { contactBookId: \"" + book + "\", email: \"a@b.test\" })",
					"contact { id }")
			.path("contact")
			.path("id")
			.asString();
		String template = client
			.change("createTemplate", "(input: { name: \"t\", textContent: \"x\" })", "template { id }")
			.path("template")
			.path("id")
			.asString();
		Map<String, String> ids = new HashMap<>(Map.of("Contact", contact, "ContactBook", book, "Template", template,
				"TemplateContent", template, "Email", email, "EmailCalls", email, "EmailContent", email, "EmailPreview",
				email, "Domain", domain.toString(), "OperatorAccount", person.account().toString()));
		ids.put("EmailToSendAgain", email);
		Stream.of("Campaign", "CampaignCauses", "CampaignChecks", "CampaignDraft", "CampaignPreview", "CampaignResults")
			.forEach((document) -> ids.put(document, campaign));
		Stream.of("DomainDmarc", "DomainProviders", "DomainReadiness", "DomainTlsReports", "HostedPolicy")
			.forEach((document) -> ids.put(document, domain.toString()));
		String inbound = Given.inbound(person.account(), domain).toString();
		Stream.of("InboundMail", "InboundHeaders", "InboundPreview", "InboundDownload")
			.forEach((document) -> ids.put(document, inbound));
		String endpoint = client
			.change("createWebhookEndpoint", "(input: { url: \"https://example.com/\", events: [\"email.sent\"] })",
					"webhookEndpoint { id }")
			.path("webhookEndpoint")
			.path("id")
			.asString();
		ids.put("Webhook", endpoint);
		ids.put("WebhookCall",
				client.change("testWebhookEndpoint", "(id: \"" + endpoint + "\")", "call { id }")
					.path("call")
					.path("id")
					.asString());
		Map<String, Integer> counts = new TreeMap<>();
		for (String id : this.documents.all().keySet()) {
			this.statements.take();
			String body = JsonMapper.builder()
				.build()
				.writeValueAsString(Map.of("id", id, "variables", variables(id, ids, book)));
			client.post(body)
				.expectStatus()
				.isOk()
				.expectBody(String.class)
				.value((response) -> assertThat(response).as(id).doesNotContain("\"errors\":[").contains("\"data\""));
			counts.put(id, this.statements.take().size());
		}
		log.info("Statements of each page: {}", counts);
		assertThat(counts.values()).allSatisfy((count) -> assertThat(count).isLessThanOrEqualTo(25));
	}

	private static Map<String, ?> variables(String document, Map<String, String> ids, String book) {
		return switch (document) {
			case "Contacts", "ContactCount", "CampaignAudience" -> Map.of("book", book);
			case "Contact", "ContactHistory" -> Map.of("book", book, "id", Objects.requireNonNull(ids.get("Contact")));
			case "CheckContacts" ->
				Map.of("input", Map.of("contactBookId", book, "contacts", List.of(Map.of("email", "a@b.test"))));
			case "TemplateDraft" -> Map.of("input", Map.of("textContent", "{{name}}"));
			case "CampaignResults" -> Map.of("id", ids.getOrDefault(document, ""), "interval", "HOUR");
			case "CampaignPreview" -> Map.of("id", Objects.requireNonNull(ids.get("Campaign")), "recipient", "NEXT");
			case "TemplateVersion" -> Map.of("id", Objects.requireNonNull(ids.get("Template")), "number", 1);
			case "OperatorTraffic" -> Map.of("interval", "MINUTE", "last", 60);
			case "DaysBefore" -> Map.of("from", "2026-11-01", "to", "2026-11-07");
			case "InboundRoutes" -> Map.of("domain", Objects.requireNonNull(ids.get("Domain")));
			case "InboundRouteMatch" -> Map.of("recipient", "a@" + ids.get("Domain") + ".test");
			case "Jump", "FindAccounts" -> Map.of("search", "a@b.test");
			case "EmailSuppression" -> Map.of("address", "a@b.test");
			case "DeviceSignIn" -> Map.of("code", "BCDF-GHJK");
			case "EmailCampaign" -> Map.of("id", Objects.requireNonNull(ids.get("Campaign")));
			case "OperatorSearch" -> Map.of("search", "b.test", "reason", "ticket");
			case "OperatorEmail", "OperatorEmailContent" ->
				Map.of("account", Objects.requireNonNull(ids.get("OperatorAccount")), "id",
						Objects.requireNonNull(ids.get("Email")), "reason", "ticket");
			case "OperatorExplain" -> Map.of("account", Objects.requireNonNull(ids.get("OperatorAccount")), "domain",
					"a.test", "stream", "CAMPAIGN", "recipient", "a@b.test");
			default -> ids.containsKey(document) ? Map.of("id", ids.get(document)) : Map.of();
		};
	}

	@Test
	void anUnknownDocumentIsRefused() {
		GraphQl.at(this.port).post("{\"id\": \"Nothing\"}").expectStatus().isBadRequest();
	}

}
