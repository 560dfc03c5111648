package dev.mailroom.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mailroom.load.installation.MailboxClient;
import dev.mailroom.load.installation.Tenant;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.listFeeder;
import static io.gatling.javaapi.core.CoreDsl.nothingFor;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

/**
 * Readers who open mails and click a link in them. Each open and click is counted. Needs
 * the mailbox of the standalone, which has the links.
 */
public final class Tracking extends LoadSimulation {

	private static final String BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

	/** Clicks within two seconds of the delivery count as those of programs. */
	private static final Duration BEFORE_CLICKS = Duration.ofSeconds(3);

	private static final int MAILS = 50;

	private final Tenant tenant = unlimitedTenant("tracking");

	private final LongAdder opened = new LongAdder();

	private final LongAdder clicked = new LongAdder();

	public Tracking() {
		this.ledger.require(this::uncounted);
		run(1_000,
				scenario("Readers").feed(listFeeder(links()).circular())
					.exec(http("open").get("#{open}")
						.header("User-Agent", BROWSER)
						.check(status().is(200))
						.transformResponse((response, _) -> {
							this.opened.increment();
							return response;
						}), http("click").get("#{click}")
							.header("User-Agent", BROWSER)
							.check(status().is(302))
							.transformResponse((response, _) -> {
								this.clicked.increment();
								return response;
							}))
					.injectOpen(nothingFor(BEFORE_CLICKS),
							constantUsersPerSec(this.target.rate(50)).during(this.target.duration(30))));
	}

	/** Sends mails with a link and returns the paths to open and to click. */
	private List<Map<String, Object>> links() {
		List<Map<String, Object>> mails = this.tenant.mails(MAILS).stream().map(this::tracked).toList();
		this.tenant.sender().post("/api/emails/batch", mails);
		this.ledger.expect(this.tenant, MAILS);
		MailboxClient mailbox = new MailboxClient(this.target);
		List<Map<String, Object>> links = new ArrayList<>();
		for (Map<String, Object> mail : mails) {
			String html = mailbox.mail(((List<?>) mail.get("to")).getFirst().toString()).at("/html").asText();
			links.add(Map.of("open", path(html, "/t/o/"), "click", path(html, "/t/c/")));
		}
		return links;
	}

	private Map<String, Object> tracked(Map<String, Object> mail) {
		Map<String, Object> tracked = new HashMap<>(mail);
		tracked.put("html", "<p>Your <a href='https://shop.test/orders/17'>order</a> has left.</p>");
		tracked.put("open_tracking", true);
		tracked.put("click_tracking", true);
		return tracked;
	}

	private static String path(String html, String route) {
		Matcher path = Pattern.compile(Pattern.quote(route) + "[A-Za-z0-9_-]+").matcher(html);
		if (!path.find()) {
			throw new IllegalStateException("No " + route + " in " + html);
		}
		return path.group();
	}

	private String uncounted() {
		long opens = 0;
		long clicks = 0;
		for (JsonNode mail : this.tenant.sender().get("/api/emails/logs?limit=" + MAILS).at("/data/emails")) {
			opens += mail.at("/open_count").asLong();
			clicks += mail.at("/click_count").asLong();
		}
		return (opens == this.opened.sum() && clicks == this.clicked.sum()) ? ""
				: "opened %d, counted %d; clicked %d, counted %d".formatted(this.opened.sum(), opens,
						this.clicked.sum(), clicks);
	}

}
