package dev.mailroom.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands of campaigns. */
@Command(name = "campaigns", addMethodSubcommands = false, description = "Start, watch and pause campaigns.")
final class Campaigns {

	private static final String PATH = "/campaigns";

	private static final Set<String> MOVING = Set.of("running", "scheduled");

	private static final long INTERVAL_MS = 1_000;

	private final Session session;

	Campaigns(Session session) {
		this.session = session;
	}

	@Command(description = "List campaigns, newest first.")
	int list(
			@Option(names = "--status", paramLabel = "STATUS",
					description = "Only campaigns of this status.") @Nullable String status,
			@Option(names = "--limit", paramLabel = "NUMBER", defaultValue = "50",
					description = "The largest number of campaigns, 50 by default.") int limit) {
		Map<String, @Nullable Object> query = new LinkedHashMap<>();
		query.put("status", status);
		List<Value> campaigns = this.session.api().list(Api.query(PATH, query), "campaigns", limit);
		Output output = this.session.output();
		output.table(campaigns, List.of("ID", "NAME", "STATUS", "SENT", "DELIVERED", "OF"),
				campaigns.stream()
					.map((campaign) -> List.of(campaign.at("id").text(), campaign.at("name").text(),
							output.status(campaign.at("status").text()), campaign.at("sent_count").text(),
							campaign.at("delivered_count").text(), campaign.at("total_contacts").text()))
					.toList());
		return 0;
	}

	@Command(description = "Show the numbers of a campaign; with --watch until it ends. The key p pauses it.")
	int status(@Parameters(paramLabel = "NAME", description = "The name or id of the campaign.") String name,
			@Option(names = "--watch", description = "Show changes, until the campaign ends.") boolean watch) {
		Api api = this.session.api();
		String id = id(api, name);
		Output output = this.session.output();
		long began = System.nanoTime();
		long first = -1;
		String last = "";
		try (Keys keys = new Keys(this.session.program())) {
			while (true) {
				Value campaign = api.get(Api.path(PATH, id)).at("data", "campaign");
				long sent = campaign.at("sent_count").number();
				first = (first < 0) ? sent : first;
				double rate = (sent - first) / Math.max(0.001, (System.nanoTime() - began) / 1e9);
				String line = line(campaign, rate) + (watch && keys.work() ? "   p pauses" : "");
				if (!watch || !MOVING.contains(campaign.at("status").raw())) {
					output.draw(List.of());
					output.result(campaign.it(), line(campaign, rate));
					return 0;
				}
				if (output.isJson() && !campaign.toString().equals(last)) {
					output.json(campaign.it());
					last = campaign.toString();
				}
				output.draw(List.of(line));
				if (keys.next(INTERVAL_MS) == 'p') {
					api.post(Api.path(PATH, id, "pause"), null);
				}
			}
		}
	}

	private static String line(Value campaign, double rate) {
		long sent = campaign.at("sent_count").number();
		long total = campaign.at("total_contacts").number();
		long bounced = campaign.at("bounced_count").number();
		StringBuilder line = new StringBuilder();
		line.append(campaign.at("status").text()).append("  ").append(sent).append(" / ").append(total);
		line.append("  ").append((total > 0) ? 100 * sent / total : 0).append(" %");
		if (rate > 0 && sent < total) {
			Duration left = Duration.ofSeconds(Math.round((total - sent) / rate));
			line.append("  %.0f/s  ends %s".formatted(rate,
					LocalTime.now(ZoneId.systemDefault()).plus(left).truncatedTo(ChronoUnit.MINUTES)));
		}
		line.append("  delivered ").append(campaign.at("delivered_count").number());
		line.append("  bounced ").append(bounced);
		line.append(String.format(Locale.ROOT, " (%.1f %%)", (sent > 0) ? 100.0 * bounced / sent : 0.0));
		line.append("  complained ").append(campaign.at("complained_count").number());
		return line.toString();
	}

	@Command(description = "Start a draft now.")
	int start(@Parameters(paramLabel = "NAME", description = "The name or id of the campaign.") String name,
			@Option(names = "--yes", description = "Do not ask.") boolean yes) {
		Api api = this.session.api();
		String id = id(api, name);
		Value campaign = api.get(Api.path(PATH, id)).at("data", "campaign");
		this.session.confirm(yes, "Send \"" + campaign.at("subject").text() + "\" to "
				+ campaign.at("total_contacts").text() + " contacts?");
		return act(api, id, "start", null);
	}

	@Command(description = "Pause a running campaign.")
	int pause(@Parameters(paramLabel = "NAME", description = "The name or id of the campaign.") String name) {
		Api api = this.session.api();
		return act(api, id(api, name), "pause", null);
	}

	@Command(description = "Resume a paused campaign.")
	int resume(@Parameters(paramLabel = "NAME", description = "The name or id of the campaign.") String name) {
		Api api = this.session.api();
		return act(api, id(api, name), "resume", null);
	}

	@Command(description = "Schedule a draft or a paused campaign.")
	int schedule(@Parameters(paramLabel = "NAME", description = "The name or id of the campaign.") String name,
			@Option(names = "--at", required = true, paramLabel = "TIME",
					description = "The time, such as 2026-12-01T09:00:00Z or +2h.") Instant at) {
		Api api = this.session.api();
		return act(api, id(api, name), "schedule", Map.of("send_at", at));
	}

	@Command(description = "Send a campaign as a test mail.")
	int test(@Parameters(paramLabel = "NAME", description = "The name or id of the campaign.") String name,
			@Option(names = "--to", required = true, paramLabel = "ADDRESS",
					description = "The recipient; may be repeated.") List<String> to) {
		Api api = this.session.api();
		Value mail = api.post(Api.path(PATH, id(api, name), "test"), Map.of("to", to)).at("data", "email");
		this.session.output().result(mail.it(), "Sent " + mail.at("id").text());
		return 0;
	}

	private int act(Api api, String id, String act, @Nullable Object body) {
		Value campaign = api.post(Api.path(PATH, id, act), body).at("data", "campaign");
		this.session.output().result(campaign.it(), campaign.at("name").text() + " is " + campaign.at("status").text());
		return 0;
	}

	private static String id(Api api, String name) {
		return api.id(PATH, "campaigns", name);
	}

}
