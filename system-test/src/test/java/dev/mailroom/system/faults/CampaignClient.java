package dev.mailroom.system.faults;

import java.io.IOException;
import java.util.Map;

import dev.mailroom.process.Tenant;
import dev.mailroom.process.Web;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** Creates a campaign of the tenant over the REST API, and controls it. */
final class CampaignClient implements AutoCloseable {

	private final Web web;

	private String path = "";

	CampaignClient(int port) throws Exception {
		this.web = new Web(port);
		this.web.use(this.web.post("/api/auth/login", json(Map.of("email", Tenant.EMAIL, "password", Tenant.PASSWORD)))
			.json(200)
			.at("/data/access_token")
			.stringValue());
	}

	/** Creates an empty contact book and returns its id. */
	String createBook(String name) throws Exception {
		return this.web.post("/api/contact-books", json(Map.of("name", name)))
			.json(201)
			.at("/data/contactBook/id")
			.stringValue();
	}

	/** Creates a campaign, to which all further calls apply, and returns its id. */
	String create(Map<String, ?> form) throws Exception {
		String id = this.web.post("/api/campaigns", json(form)).json(201).at("/data/campaign/id").stringValue();
		this.path = "/api/campaigns/" + id;
		return id;
	}

	/** Changes the status; false if the present one does not permit it. */
	boolean act(String action) throws Exception {
		return act(action, Map.of());
	}

	/** Changes the status; false if the present one does not permit it. */
	boolean act(String action, Map<String, ?> body) throws Exception {
		int status = this.web.post(this.path + "/" + action, json(body)).status();
		assertThat(status).as(action).isIn(200, 400);
		return status == 200;
	}

	void rename(String name) throws Exception {
		this.web.patch(this.path, json(Map.of("name", name)));
	}

	String status() throws Exception {
		return find().get("status").stringValue();
	}

	JsonNode find() throws IOException, InterruptedException {
		return this.web.get(this.path).json(200).at("/data/campaign");
	}

	private static String json(Map<String, ?> body) {
		return JsonMapper.shared().writeValueAsString(body);
	}

	@Override
	public void close() {
		this.web.close();
	}

}
