package dev.mailroom.api.security;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.jayway.jsonpath.JsonPath;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.account.ApiKey;
import dev.mailroom.account.ApiKeys;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;

import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;

import static dev.mailroom.Await.await;

/**
 * An account that has one of each thing.
 *
 * @param key API key of its domain
 * @param otherKey API key of another, empty domain of the account
 * @param accountKey API key of the account with all permissions
 * @param domain name of its domain
 * @param things ids of its things by their names in the OpenAPI document
 */
public record Holder(Person person, String key, String otherKey, String accountKey, String domain,
		Map<String, String> things) {

	/** A new account with everything. */
	public static Holder in(ApplicationContext context, Client client) {
		Person person = Person.in(context);
		ApiKeys keys = context.getBean(ApiKeys.class);
		Scope owner = Scope.of(person.account());
		UUID domain = Given.domain(person.account());
		ApiKey.Issued key = await(keys.create(owner, domain, "first", List.of("send")));
		ApiKey.Issued other = await(keys.create(owner, Given.domain(person.account()), "second", List.of("send")));
		String accountKey = AccountKeys.withAll(keys, person.account()).text();
		Holder holder = new Holder(person, key.text(), other.text(), accountKey, domain + ".test",
				new LinkedHashMap<>());
		holder.things.put("domain", domain.toString());
		holder.things.put("session",
				Given.rows("select id from session where account_id = '%s'", person.account()).getFirst());
		UUID member = Given.account("free");
		Given.run("update member set account_id = '%s', role = 'viewer' where person_id = '%s'", person.account(),
				member);
		holder.things.put("member", member.toString());
		UUID invitation = UUID.randomUUID();
		Given.run("insert into invitation (id, account_id, email, email_key, role, hash, expires_at) values "
				+ "('%1$s', '%2$s', 'x@y.test', 'x@y.test', 'viewer', sha256('%1$s'), now() + interval '1 day')",
				invitation, person.account());
		holder.things.put("invitation", invitation.toString());
		UUID links = UUID.randomUUID();
		Given.run("insert into tracking_domain (id, account_id, domain_id, name, created_at) values ('%1$s', '%2$s', "
				+ "'%3$s', 'links.%1$s.test', now())", links, person.account(), domain);
		holder.things.put("trackingDomain", links.toString());
		holder.things.put("apiKey", key.key().id().toString());
		holder.things.put("email",
				Given.mail(Scope.of(person.account(), domain, key.key().id()), "x@y.test").toString());
		holder.things.put("inbound", Given.inbound(person.account(), domain).toString());
		holder.createThroughApi(client);
		return holder;
	}

	private void createThroughApi(Client client) {
		create(client, "template", "/templates", "{\"name\": \"t\", \"text_content\": \"Hi\"}");
		String book = create(client, "contactBook", "/contact-books", "{\"name\": \"b\"}");
		create(client, "contact", "/contact-books/" + book + "/contacts", "{\"email\": \"x@y.test\"}");
		create(client, "campaign", "/campaigns", """
				{"name": "c", "from": "a@%s", "subject": "s", "contact_book_id": "%s", "text_content": "Hi"}
				""".formatted(this.domain, book));
		create(client, "target", "/inbound/targets", "{\"address\": \"x@y.test\"}");
		create(client, "suppression", "/suppressions", "{\"email\": \"x@y.test\"}");
		create(client, "route", "/inbound/routes",
				"{\"domain_id\": \"%s\", \"pattern\": \"*\"}".formatted(this.things.get("domain")));
		String endpoint = create(client, "endpoint", "/webhooks/endpoints",
				"{\"url\": \"https://y.test/hook\", \"events\": [\"email.sent\"]}");
		create(client, "delivery", "/webhooks/endpoints/" + endpoint + "/test", "");
	}

	private String create(Client client, String thing, String path, String body) {
		byte[] response = client.send(HttpMethod.POST, this.person.token(), "/api" + path, body)
			.expectStatus()
			.is2xxSuccessful()
			.expectBody()
			.returnResult()
			.getResponseBody();
		String id = JsonPath.read(new String(response, StandardCharsets.UTF_8), "$.data." + thing + ".id");
		this.things.put(thing, id);
		return id;
	}

}
