package dev.mailroom.api.mcp;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.account.Permission;
import dev.mailroom.api.mcp.McpTool.Argument;
import dev.mailroom.api.mcp.McpTool.Effect;
import dev.mailroom.campaign.Campaign;
import dev.mailroom.campaign.CampaignResults;
import dev.mailroom.campaign.Campaigns;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.http.HttpMethod;
import org.springframework.stereotype.Component;

import static dev.mailroom.api.mcp.McpTool.Argument.id;
import static dev.mailroom.api.mcp.McpTool.Argument.text;

/**
 * The tools, in the order in which they are listed. Most are one call of a route; lists
 * have at most 20 rows.
 */
@Component
class McpTools {

	private static final Refusal NO_SUPPRESSION = Refusal.notFound("Suppression not found");

	/** Permissions of tools that show texts of others. */
	private static final Set<Permission> OF_OTHERS = Set.of(Permission.EMAILS_READ, Permission.INBOUND_READ,
			Permission.WEBHOOKS_READ);

	/** Fields that others wrote: senders of received mail, and servers in replies. */
	private static final Set<String> BY_OTHERS = Set.of("subject", "from_name", "text", "filename", "reply",
			"conversation", "answer");

	private static final String UNTRUSTED = "untrusted_";

	private static final int MAX_TEXT = 20_000;

	private static final Argument CURSOR = text("cursor", "The next_cursor of the page before").optional();

	private static final Argument DOMAIN = id("domain_id", "Id of a domain, from list_domains");

	private static final Argument EMAIL = id("email_id", "Id of a mail, from search_emails or send_email");

	private static final Argument TEMPLATE = id("template_id", "Id of a template, from list_templates");

	private static final Argument BOOK = id("book_id", "Id of a contact book, from list_books");

	private static final Argument CAMPAIGN = id("campaign_id", "Id of a campaign, from list_campaigns");

	private static final Argument VARIABLES = Argument
		.of("variables", McpTool.Type.OBJECT, "Values by the name of the variable")
		.optional();

	private final ApiCalls api;

	private final ToolConfirmations confirmations;

	private final Campaigns campaigns;

	private final CampaignResults results;

	private final JsonMapper json;

	private final List<McpTool> tools;

	McpTools(ApiCalls api, MailTool mail, DocsTools docs, ToolConfirmations confirmations, Campaigns campaigns,
			CampaignResults results, JsonMapper json) {
		this.api = api;
		this.confirmations = confirmations;
		this.campaigns = campaigns;
		this.results = results;
		this.json = json;
		this.tools = Stream.of(reading(docs), writing(mail), campaigns()).flatMap(List::stream).toList();
	}

	/** The tools in their order. */
	List<McpTool> all() {
		return this.tools;
	}

	private List<McpTool> reading(DocsTools docs) {
		return List.of(
				read("whoami", null, "Shows the key, its permissions, its domain and the account", "/api-keys/current"),
				read("list_domains", Permission.DOMAINS_READ, "Lists sending domains", "/domains?limit=20", CURSOR),
				read("check_domain", Permission.DOMAINS_READ, "Shows a domain and its DNS records, with what is wrong",
						"/domains/{domain_id}", DOMAIN),
				read("search_emails", Permission.EMAILS_READ, "Lists sent mails, newest first", "/emails?limit=20",
						text("status", "pending, sent, delivered, bounced, complained or failed").optional(),
						id("domain_id", "Only mails of this domain").optional(), CURSOR),
				tool("explain_email", Permission.EMAILS_READ, Effect.READS,
						"Shows the status of a mail, its events and delivery attempts, and what to do", this::explain,
						EMAIL)
					.returning("GET /emails/{}", "GET /emails/{}/events events", "GET /emails/{}/attempts attempts"),
				read("list_templates", Permission.TEMPLATES_READ, "Lists templates", "/templates?limit=20", CURSOR),
				post("render_template", Permission.TEMPLATES_READ, Effect.READS, "Renders a template with variables",
						"/templates/{template_id}/render", TEMPLATE, VARIABLES),
				read("find_contact", Permission.CONTACTS_READ, "Finds contacts of a book",
						"/contact-books/{book_id}/contacts?limit=20", BOOK,
						text("search", "A part of the address or name"), CURSOR),
				read("list_books", Permission.CONTACTS_READ, "Lists contact books", "/contact-books?limit=20", CURSOR),
				read("list_campaigns", Permission.CAMPAIGNS_READ, "Lists campaigns", "/campaigns?limit=20",
						text("status", "draft, scheduled, running, paused or sent").optional(), CURSOR),
				tool("campaign_results", Permission.CAMPAIGNS_READ, Effect.READS,
						"Shows a campaign with its counts and the clicks on its links", this::results, CAMPAIGN)
					.returning("GET /campaigns/{}", "GET /campaigns/{}/links links"),
				read("check_suppression", Permission.SUPPRESSIONS_READ,
						"Finds out whether mail to an address is suppressed, and why", "/suppressions?limit=20",
						text("search", "The address, or a part of it")),
				tool("webhook_failures", Permission.WEBHOOKS_READ, Effect.READS,
						"Lists webhook endpoints or, for one of them, its latest calls with the answers",
						this::webhooks, id("endpoint_id", "Id of an endpoint").optional())
					.returning("GET /webhooks/endpoints", "GET /webhooks/endpoints/{}/deliveries"),
				read("reputation", Permission.ANALYTICS_READ,
						"Shows the rates of bounces and complaints and their causes", "/analytics/reputation",
						DOMAIN.optional()),
				read("usage", Permission.USAGE_READ, "Shows the limits of the plan and their use", "/usage"),
				read("list_inbound", Permission.INBOUND_READ, "Lists received mails", "/inbound?limit=20",
						DOMAIN.optional(), CURSOR),
				tool("read_inbound", Permission.INBOUND_READ, Effect.READS, "Shows a received mail as plain text",
						this::inbound, id("email_id", "Id of a received mail, from list_inbound"))
					.returning("GET /inbound/{}"),
				tool("search_docs", null, Effect.READS, "Searches the documentation: guides, operations and errors",
						docs::search, text("query", "Words")),
				tool("read_doc", null, Effect.READS, "Shows a page of the documentation, an operation or an error",
						docs::read, text("name", "A name from search_docs, or the name of an error")));
	}

	private List<McpTool> writing(MailTool mail) {
		return List.of(tool(MailTool.NAME, Permission.SEND, Effect.SAVES,
				"Sends a mail, now or at a time. To more than 5 recipients it needs a confirmation. Repeated with "
						+ "the same arguments within 10 minutes, it sends nothing more",
				mail::send, text("from", "Address in a verified domain, or Name <address>"),
				Argument.of("to", McpTool.Type.TEXTS, "Addresses"),
				Argument.of("cc", McpTool.Type.TEXTS, "Addresses").optional(),
				Argument.of("bcc", McpTool.Type.TEXTS, "Addresses").optional(),
				Argument.of("reply_to", McpTool.Type.TEXTS, "Addresses").optional(),
				text("subject", "Subject; needed without a template").optional(), text("text", "Plain text").optional(),
				text("html", "HTML").optional(), TEMPLATE.optional(), VARIABLES,
				text("send_at", "ISO 8601 with an offset; at once if absent").optional(),
				text("idempotency_key", "A mail with the same key is sent once in 24 hours").optional(),
				ToolConfirmations.ARGUMENT)
			.returning("POST /emails id"),
				post("cancel_email", Permission.SEND, Effect.SAVES, "Cancels a mail that waits for its time",
						"/emails/{email_id}/cancel", EMAIL),
				post("add_domain", Permission.DOMAINS_WRITE, Effect.ACTS,
						"Adds a sending domain; shows the DNS records", "/domains", text("name", "Name of the domain")),
				post("verify_domain", Permission.DOMAINS_WRITE, Effect.SAVES, "Looks up the DNS records of a domain",
						"/domains/{domain_id}/verify", DOMAIN),
				tool("save_template", Permission.TEMPLATES_WRITE, Effect.ACTS, "Creates a template, or changes one",
						this::saveTemplate, TEMPLATE.optional(), text("name", "Name").optional(),
						text("subject", "Subject").optional(), text("html_content", "HTML").optional(),
						text("text_content", "Plain text").optional())
					.returning("PATCH /templates/{}"),
				tool("save_contacts", Permission.CONTACTS_WRITE, Effect.SAVES,
						"Adds contacts to a book, or updates those with the same address", this::saveContacts, BOOK,
						Argument.of("contacts", McpTool.Type.OBJECTS,
								"Objects with email, first_name, last_name, subscribed and properties"))
					.returning("POST /contact-books/{}/contacts/bulk"),
				tool("suppress_address", Permission.SUPPRESSIONS_WRITE, Effect.SAVES, "Stops all mail to an address",
						(call) -> this.api.call(call, HttpMethod.POST, "/suppressions"), text("email", "Address"))
					.returning("POST /suppressions"),
				tool("lift_suppression", Permission.SUPPRESSIONS_WRITE, Effect.CONFIRMED,
						"Permits mail to a suppressed address again", this::lift, text("email", "Address"),
						ToolConfirmations.ARGUMENT));
	}

	private List<McpTool> campaigns() {
		return List.of(
				post("draft_campaign", Permission.CAMPAIGNS_WRITE, Effect.ACTS, "Creates a campaign as a draft",
						"/campaigns", text("name", "Name"), text("from", "Sender in a verified domain"),
						text("subject", "Subject"), id("contact_book_id", "Id of a contact book, from list_books"),
						TEMPLATE.optional(), text("html_content", "HTML").optional(),
						text("text_content", "Plain text").optional()),
				post("test_campaign", Permission.CAMPAIGNS_SEND, Effect.ACTS, "Sends a campaign's mail as a test",
						"/campaigns/{campaign_id}/test", CAMPAIGN, Argument.of("to", McpTool.Type.TEXTS, "Addresses")),
				post("pause_campaign", Permission.CAMPAIGNS_WRITE, Effect.SAVES, "Pauses a running campaign",
						"/campaigns/{campaign_id}/pause", CAMPAIGN),
				campaign("start_campaign", "Starts a draft campaign", "/campaigns/{campaign_id}/start"),
				campaign("schedule_campaign", "Schedules a draft or paused campaign",
						"/campaigns/{campaign_id}/schedule", text("send_at", "ISO 8601 with an offset")),
				campaign("resume_campaign", "Resumes a paused campaign", "/campaigns/{campaign_id}/resume"));
	}

	private McpTool read(String name, @Nullable Permission permission, String description, String route,
			Argument... arguments) {
		return tool(name, permission, Effect.READS, description, (call) -> this.api.call(call, HttpMethod.GET, route),
				arguments)
			.returning("GET " + route);
	}

	private McpTool post(String name, Permission permission, Effect effect, String description, String route,
			Argument... arguments) {
		return tool(name, permission, effect, description, (call) -> this.api.call(call, HttpMethod.POST, route),
				arguments)
			.returning("POST " + route);
	}

	private McpTool campaign(String name, String description, String route, Argument... more) {
		return tool(name, Permission.CAMPAIGNS_SEND, Effect.CONFIRMED, description,
				(call) -> confirmed(name, call, route),
				Stream.of(Stream.of(CAMPAIGN), Stream.of(more), Stream.of(ToolConfirmations.ARGUMENT))
					.flatMap((part) -> part)
					.toArray(Argument[]::new))
			.returning("POST " + route);
	}

	private McpTool tool(String name, @Nullable Permission permission, Effect effect, String description,
			McpTool.Work work, Argument... arguments) {
		return new McpTool(name, permission, effect, description, List.of(arguments), List.of(), work);
	}

	/** A campaign is started, scheduled or resumed in the state that was shown. */
	private Mono<ObjectNode> confirmed(String name, McpTool.Call call, String route) {
		Scope scope = call.caller().scope();
		return this.campaigns.find(scope, call.id("campaign_id"))
			.flatMap((campaign) -> would(call, campaign).flatMap(
					(would) -> this.confirmations.confirmed(name, call, campaign.status() + " " + campaign.updatedAt(),
							would, (agreed) -> this.api.call(agreed, HttpMethod.POST, route))));
	}

	private Mono<ObjectNode> would(McpTool.Call call, Campaign campaign) {
		@Nullable Map<String, Object> filter = campaign.filter().isEmpty() ? null : campaign.filter();
		return Mono.zip(this.results.audience(call.caller().scope(), campaign.contactBookId(), filter),
				this.api.call(call.with(this.json.createObjectNode()), HttpMethod.GET, "/usage"), (audience, usage) -> {
					ObjectNode would = this.json.createObjectNode();
					would.put("campaign", campaign.name());
					would.put("status", campaign.status().contractName());
					would.put("from", campaign.sender());
					would.put("subject", campaign.subject());
					would.put("recipients", audience.recipients() - audience.suppressed());
					would.set("usage", usage.path("usage"));
					return would;
				});
	}

	private Mono<ObjectNode> lift(McpTool.Call call) {
		ObjectNode query = this.json.createObjectNode().put("search", call.text("email"));
		return this.api.call(call.with(query), HttpMethod.GET, "/suppressions?limit=100")
			.map((listed) -> entry(listed, call.text("email")))
			.flatMap((entry) -> this.confirmations.confirmed("lift_suppression", call, entry.path("id").asString(""),
					entry, (agreed) -> this.api.call(agreed.with(this.json.createObjectNode()), HttpMethod.DELETE,
							"/suppressions/" + entry.path("id").asString(""))));
	}

	private static ObjectNode entry(ObjectNode listed, String address) {
		return listed.path("suppressions")
			.valueStream()
			.filter((entry) -> entry.path("email").asString("").equalsIgnoreCase(address.strip()))
			.map(ObjectNode.class::cast)
			.findFirst()
			.orElseThrow(() -> NO_SUPPRESSION.because("Mail to this address is not suppressed"));
	}

	private Mono<ObjectNode> explain(McpTool.Call call) {
		return Mono
			.zip(this.api.call(call, HttpMethod.GET, "/emails/{email_id}"),
					this.api.call(call, HttpMethod.GET, "/emails/{email_id}/events?limit=20"),
					this.api.call(call, HttpMethod.GET, "/emails/{email_id}/attempts"))
			.map((parts) -> {
				ObjectNode mail = parts.getT1();
				mail.set("events", parts.getT2().path("events"));
				mail.set("attempts", last(parts.getT3().path("attempts")));
				mail.put("advice", advice(mail.path("last_event").asString("")));
				return mail;
			});
	}

	private ArrayNode last(JsonNode rows) {
		ArrayNode last = this.json.createArrayNode();
		rows.valueStream().skip(Math.max(0, rows.size() - 20)).forEach(last::add);
		return last;
	}

	private static String advice(String lastEvent) {
		return switch (lastEvent) {
			case "queued", "sent" -> "It is being delivered. Ask again in a minute.";
			case "scheduled" -> "It waits for its send_at. cancel_email cancels it.";
			case "delivery_delayed" -> "The recipient's server asks to try later. This is repeated for days; the reply "
					+ "of the last attempt says why. Do not send the mail again.";
			case "bounced" -> "The recipient's server refused it for good, as its reply says. If the address does not "
					+ "exist, it is suppressed now: ask the person for another one.";
			case "complained" -> "The recipient reported it as unwanted. Send no more mail to this address.";
			case "suppressed" -> "The address is suppressed: check_suppression says since when and why.";
			case "failed" -> "It could not be delivered in time. The last attempt says why.";
			case "cancelled" -> "It was cancelled before its time.";
			default -> "It was delivered.";
		};
	}

	private Mono<ObjectNode> results(McpTool.Call call) {
		return Mono
			.zip(this.api.call(call, HttpMethod.GET, "/campaigns/{campaign_id}"),
					this.api.call(call, HttpMethod.GET, "/campaigns/{campaign_id}/links"))
			.map((parts) -> {
				ObjectNode campaign = parts.getT1();
				ArrayNode links = campaign.putArray("links");
				parts.getT2().path("links").valueStream().limit(20).forEach(links::add);
				return campaign;
			});
	}

	private Mono<ObjectNode> webhooks(McpTool.Call call) {
		return call.arguments().has("endpoint_id")
				? this.api.call(call, HttpMethod.GET, "/webhooks/endpoints/{endpoint_id}/deliveries?limit=20")
				: this.api.call(call, HttpMethod.GET, "/webhooks/endpoints?limit=20");
	}

	private Mono<ObjectNode> inbound(McpTool.Call call) {
		return this.api.call(call, HttpMethod.GET, "/inbound/{email_id}").map((data) -> {
			ObjectNode mail = (ObjectNode) data.path("email");
			JsonNode html = mail.remove("html");
			if (mail.path("text").isNull() && html != null) {
				mail.put("text", html.asString("").replaceAll("(?s)<(style|script)\\b.*?</\\1>|<[^>]*>", " "));
			}
			return data;
		});
	}

	private Mono<ObjectNode> saveTemplate(McpTool.Call call) {
		return call.arguments().has("template_id") ? this.api.call(call, HttpMethod.PATCH, "/templates/{template_id}")
				: this.api.call(call, HttpMethod.POST, "/templates");
	}

	private Mono<ObjectNode> saveContacts(McpTool.Call call) {
		return this.api.post(call, "/contact-books/" + call.id("book_id") + "/contacts/bulk",
				call.arguments().path("contacts"));
	}

	/**
	 * The result of a tool, without texts that are longer than a model should read. Those
	 * that others wrote have names that say so.
	 */
	JsonNode shown(McpTool tool, JsonNode data) {
		return shown(data, names(tool));
	}

	/** The names that a tool's results have for the fields of responses. */
	static UnaryOperator<String> names(McpTool tool) {
		boolean byOthers = tool.permission() != null && OF_OTHERS.contains(tool.permission());
		return (field) -> (byOthers && BY_OTHERS.contains(field)) ? UNTRUSTED + field : field;
	}

	private JsonNode shown(JsonNode node, UnaryOperator<String> names) {
		if (node instanceof ObjectNode object) {
			ObjectNode shown = this.json.createObjectNode();
			object.properties()
				.forEach((field) -> shown.set(names.apply(field.getKey()), shown(field.getValue(), names)));
			return shown;
		}
		if (node instanceof ArrayNode array) {
			ArrayNode shown = this.json.createArrayNode();
			array.forEach((element) -> shown.add(shown(element, names)));
			return shown;
		}
		return (node.isString() && node.stringValue().length() > MAX_TEXT)
				? this.json.getNodeFactory().stringNode(node.stringValue().substring(0, MAX_TEXT)) : node;
	}

}
