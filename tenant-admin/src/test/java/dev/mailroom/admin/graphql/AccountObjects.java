package dev.mailroom.admin.graphql;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.admin.GraphQl;
import dev.mailroom.admin.Person;

/** Objects of an account, of each kind that an argument of the schema takes the id of. */
final class AccountObjects {

	private AccountObjects() {
	}

	/**
	 * Creates an object of each kind and returns their ids by the names of the arguments.
	 * @param colleague becomes a member of the account, as a viewer
	 * @param owner a client of the person
	 */
	static Map<String, UUID> of(Person person, Person colleague, GraphQl owner) {
		Map<String, UUID> objects = new HashMap<>();
		UUID account = person.account();
		UUID domain = Given.domain(account);
		Scope sender = Scope.of(account, domain, account);
		objects.put("domain", domain);
		objects.put("email", Given.mail(sender, "a@b.test"));
		objects.put("inboundEmail", Given.inbound(account, domain));
		UUID member = colleague.account();
		Given.run("update member set account_id = '%s', role = 'viewer' where person_id = '%s'", account, member);
		objects.put("member", member);
		objects.put("session",
				UUID.fromString(Given.rows("select id from session where account_id = '%s'", account).getFirst()));
		create(owner, objects, "inboundRoute", "createInboundRoute", "domainId: \"" + domain + "\", pattern: \"*\"",
				"inboundRoute");
		create(owner, objects, "forwardTarget", "createForwardTarget", "address: \"" + domain + "@target.test\"",
				"forwardTarget");
		create(owner, objects, "apiKey", "createApiKey", "domainId: \"" + domain + "\", name: \"k\"", "apiKey");
		create(owner, objects, "trackingDomain", "createTrackingDomain",
				"domainId: \"" + domain + "\", name: \"links." + domain + ".test\"", "trackingDomain");
		create(owner, objects, "template", "createTemplate", "name: \"t\", textContent: \"x\"", "template");
		create(owner, objects, "image", "uploadImage", "name: \"i\", content: \"R0lGODlh\"", "image");
		create(owner, objects, "contactBook", "createContactBook", "name: \"b\"", "contactBook");
		create(owner, objects, "contact", "createContact",
				"contactBookId: \"" + objects.get("contactBook") + "\", email: \"a@b.test\"", "contact");
		create(owner, objects, "campaign", "createCampaign", "name: \"c\", from: \"a@" + domain
				+ ".test\", subject: \"s\", textContent: \"x\", contactBookId: \"" + objects.get("contactBook") + "\"",
				"campaign");
		objects.put("segment", UUID.fromString(owner.data(
				"mutation($filter: JSON!) { saveSegment(input: { name: \"s\", filter: $filter }) { segment { id } } }",
				Map.of("filter", Map.of("property", "city", "exists", true)))
			.findPath("id")
			.asString()));
		create(owner, objects, "suppression", "addSuppression", "email: \"a@b.test\"", "suppression");
		create(owner, objects, "webhookEndpoint", "createWebhookEndpoint",
				"url: \"https://example.com/\", events: [\"email.sent\"]", "webhookEndpoint");
		objects.put("webhookCall",
				UUID.fromString(owner
					.change("testWebhookEndpoint", "(id: \"" + objects.get("webhookEndpoint") + "\")", "call { id }")
					.path("call")
					.path("id")
					.asString()));
		create(owner, objects, "invitation", "inviteMember",
				"email: \"" + UUID.randomUUID() + "@c.test\", role: VIEWER", "invitation");
		return objects;
	}

	private static void create(GraphQl owner, Map<String, UUID> objects, String kind, String mutation, String input,
			String field) {
		objects.put(kind,
				UUID.fromString(owner.change(mutation, "(input: { " + input + " })", field + " { id }")
					.path(field)
					.path("id")
					.asString()));
	}

	/** Gives the objects what they show once they were used. */
	static void use(UUID account, Map<String, UUID> objects) {
		UUID email = objects.get("email");
		UUID domain = objects.get("domain");
		UUID campaign = objects.get("campaign");
		Given.run("insert into delivery_attempt (id, account_id, email_id, delivery_id, attempt, began_at, took_ms, "
				+ "outcome, transport, host, address, tls, reply, conversation) select gen_random_uuid(), account_id, "
				+ "email_id, id, 1, now(), 7, 'deferred', 'mx', 'mx.b.test', '192.0.2.1', '', '451 later', "
				+ "E'3 S: 220 ready\n' from delivery where email_id = '%s'", email);
		Given.run("update email set campaign_id = '%s', api_key_id = '%s' where id = '%s'", campaign,
				objects.get("apiKey"), email);
		Given.run("insert into event (id, account_id, email_id, kind, created_at) values "
				+ "(uuidv7(), '%s', '%s', 'email.sent', now())", account, email);
		Given.run("insert into webhook_attempt (id, account_id, delivery_id, error, took_ms, attempted_at) "
				+ "select gen_random_uuid(), account_id, id, 'no', 7, now() from webhook_delivery where id = '%s'",
				objects.get("webhookCall"));
		Given.run("update webhook_delivery set status = 'failed', settled_at = now() where id = '%s'",
				objects.get("webhookCall"));
		Given.run("insert into dkim_key values (gen_random_uuid(), '%s', '%s', 'mr1', 'ed25519-sha256', 'AA==', '', "
				+ "true, now())", account, domain);
		Given.run("insert into domain_warmup (domain_id, account_id, started_at, allowances) values "
				+ "('%s', '%s', now(), '{200}')", domain, account);
		Given.run("insert into reputation_day (account_id, domain_id, day, delivered, hard_bounced) values "
				+ "('%1$s', '%2$s', (now() at time zone 'UTC')::date, 9, 1); insert into reputation_cause values "
				+ "('%1$s', '%2$s', (now() at time zone 'UTC')::date, '5.1.1', 1)", account, domain);
		Given.run("insert into provider_day (account_id, domain_id, day, provider, delivered) values "
				+ "('%1$s', '%2$s', (now() at time zone 'UTC')::date, 'gmail', 9); insert into dmarc_report values "
				+ "('%2$s', '%1$s', '%2$s', 'r.test', 'r', '1', true, now(), now(), '{\"p\": \"none\"}', now()); "
				+ "insert into dmarc_row values ('%2$s', 0, '%1$s', '192.0.2.1', 1, 'none', false, false, 'a.test', '', "
				+ "''); insert into tls_report values ('%2$s', '%1$s', '%2$s', 'r.test', 'r', '1', true, now(), now(), 1, "
				+ "1, now()); insert into tls_report_failure values ('%2$s', 0, '%1$s', 'sts', 'r', '', '', '', 1); "
				+ "insert into hosted_policy values ('%2$s', '%1$s', 'testing', now())", account, domain);
		Given.run("insert into campaign_minute (campaign_id, minute, slot, account_id, sent) values "
				+ "('%1$s', date_trunc('minute', now()), 1, '%2$s', 1); insert into campaign_link "
				+ "(campaign_id, link_id, slot, account_id, url, clicks) values ('%1$s', '%1$s', 1, '%2$s', "
				+ "'https://a.test/', 1)", campaign, account);
		Given.run("insert into audit values (uuidv7(), '%s', '%s', 'person', 'brand.changed', '', 'x', '{}', now())",
				account, objects.get("member"));
		Given.run("update campaign set started_at = now() where id = '%1$s'; insert into campaign_recipient "
				+ "(campaign_id, contact_id, account_id, email_id, unsubscribed_at) values ('%1$s', '%2$s', '%3$s', "
				+ "'%4$s', now())", campaign, objects.get("contact"), account, email);
	}

}
