package dev.mailroom.api.security;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.jayway.jsonpath.JsonPath;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.apikey.ApiKey;
import dev.mailroom.apikey.ApiKeys;

import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;

/**
 * An account that has one of each thing.
 *
 * @param key of its domain
 * @param otherKey of another domain of the account, which has nothing
 * @param domain the name of its domain
 * @param things an id for each thing, by the name that the document has for it
 */
record Holder(Person person, String key, String otherKey, String domain, Map<String, String> things) {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	static Holder in(ApplicationContext context, Client client) {
		Person person = Person.in(context);
		ApiKeys keys = context.getBean(ApiKeys.class);
		Scope owner = Scope.of(person.account());
		UUID domain = Given.domain(person.account());
		ApiKey.Issued key = keys.create(owner, domain, "first", List.of("send")).block(PATIENCE);
		ApiKey.Issued other = keys.create(owner, Given.domain(person.account()), "second", List.of("send"))
			.block(PATIENCE);
		Holder holder = new Holder(person, key.text(), other.text(), domain + ".test", new LinkedHashMap<>());
		holder.things.put("domain", domain.toString());
		holder.things.put("apiKey", key.key().id().toString());
		holder.things.put("email",
				Given.mail(Scope.of(person.account(), domain, key.key().id()), "x@y.test").toString());
		holder.things.put("inbound", Given.inbound(person.account(), domain).toString());
		holder.makeTheRest(client);
		return holder;
	}

	private void makeTheRest(Client client) {
		make(client, "template", "/templates", "{\"name\": \"t\", \"text_content\": \"Hi\"}");
		String book = make(client, "contactBook", "/contact-books", "{\"name\": \"b\"}");
		make(client, "contact", "/contact-books/" + book + "/contacts", "{\"email\": \"x@y.test\"}");
		make(client, "campaign", "/campaigns", """
				{"name": "c", "from": "a@%s", "subject": "s", "contact_book_id": "%s", "text_content": "Hi"}
				""".formatted(this.domain, book));
		make(client, "suppression", "/suppressions", "{\"email\": \"x@y.test\"}");
		String endpoint = make(client, "endpoint", "/webhooks/endpoints",
				"{\"url\": \"https://y.test/hook\", \"events\": [\"email.sent\"]}");
		make(client, "delivery", "/webhooks/endpoints/" + endpoint + "/test", "");
	}

	private String make(Client client, String thing, String path, String body) {
		byte[] answer = client.send(HttpMethod.POST, this.person.token(), "/api" + path, body)
			.expectStatus()
			.is2xxSuccessful()
			.expectBody()
			.returnResult()
			.getResponseBody();
		String id = JsonPath.read(new String(answer, StandardCharsets.UTF_8), "$.data." + thing + ".id");
		this.things.put(thing, id);
		return id;
	}

}
