package dev.mailroom.bench;

import java.sql.SQLException;
import java.util.Map;

import dev.mailroom.process.Tenant;
import dev.mailroom.process.Web;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An account with large contact books that starts campaigns. */
public final class CampaignOwner {

	/** A text of about 1 KiB, as that of other mails. */
	private static final String TEXT = "Hello {{first_name}},\n"
			+ "all work and no play makes a dull mail.\n".repeat(24) + "{{unsubscribe_url}}";

	private static final String FILL = """
			insert into contact (id, account_id, contact_book_id, email, email_key, first_name, last_name, properties,
			                     created_at, updated_at)
			select uuidv7(), account_id, id, 'c' || i || '@to.test', 'c' || i || '@to.test', 'Ada', 'Contact ' || i,
			       '{"city": "Graz"}', now() - interval '1 hour' + i * interval '1 microsecond', now()
			  from contact_book, generate_series(1, %d) as i where id = '%s'
			""";

	private static final int NOT_RUNNING = 400;

	private final Stack stack;

	private final Tenant tenant;

	private final Web web;

	/** Registers an account whose mail is not signed. */
	public CampaignOwner(Stack stack, String domain) throws Exception {
		this.stack = stack;
		this.tenant = stack.unsigned(domain);
		this.web = stack.resources().add(new Web(stack.api().apiPort()));
	}

	public Tenant tenant() {
		return this.tenant;
	}

	/** Creates a contact book with a number of contacts and returns its id. */
	public String book(int contacts) throws Exception {
		String id = post("/api/contact-books", Map.of("name", contacts + " contacts"), 201).at("/data/contactBook/id")
			.stringValue();
		run(FILL.formatted(contacts, id));
		run("update contact_book set contacts = %d where id = '%s'".formatted(contacts, id));
		run("analyze contact");
		return id;
	}

	/** Creates a campaign to all contacts of a book and returns its id. */
	public String draft(String book) throws Exception {
		return post("/api/campaigns",
				Map.of("name", "Benchmark", "from", "Ann <a@" + this.tenant.domain() + ">", "subject",
						"News for {{first_name}}", "contact_book_id", book, "text_content", TEXT),
				201)
			.at("/data/campaign/id")
			.stringValue();
	}

	/**
	 * Starts a campaign.
	 * @return time of the request, on the clock of {@link System#nanoTime()}
	 */
	public long start(String campaign) throws Exception {
		login();
		long time = System.nanoTime();
		this.web.post("/api/campaigns/" + campaign + "/start", "{}").json(200);
		return time;
	}

	/** Pauses a campaign that is running. */
	public void pause(String campaign) throws Exception {
		login();
		this.web.post("/api/campaigns/" + campaign + "/pause", "{}").json(200);
	}

	/**
	 * Pauses a campaign, if it has not ended, and removes its mails that have not left.
	 */
	public void abandon(String campaign) throws Exception {
		login();
		int status = this.web.post("/api/campaigns/" + campaign + "/pause", "{}").status();
		if (status != 200 && status != NOT_RUNNING) {
			throw new IllegalStateException("The pause of a campaign returned " + status);
		}
		this.stack.await("not exists(select from queue where campaign_id = '%s' and (ready or data_until is not null))"
			.formatted(campaign));
		remove(campaign);
	}

	/**
	 * Removes the mails of a campaign from the queue, locked in the order in which the
	 * worker locks them.
	 */
	public void remove(String campaign) throws SQLException {
		run("delete from queue where id in (select id from queue where campaign_id = '" + campaign
				+ "' order by id for update)");
	}

	private void run(String sql) throws SQLException {
		this.stack.database().run(Stack.PRODUCT, sql);
	}

	private JsonNode post(String path, Map<String, String> body, int status) throws Exception {
		login();
		return this.web.post(path, json(body)).json(status);
	}

	/** An access token is valid for a shorter time than a run takes. */
	private void login() throws Exception {
		this.web.use("");
		this.web.use(this.web
			.post("/api/auth/login",
					json(Map.of("email", "owner@" + this.tenant.domain(), "password", Tenant.PASSWORD)))
			.json(200)
			.at("/data/access_token")
			.stringValue());
	}

	private static String json(Object value) {
		return JsonMapper.shared().writeValueAsString(value);
	}

}
