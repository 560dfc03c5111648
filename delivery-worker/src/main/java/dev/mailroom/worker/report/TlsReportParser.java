package dev.mailroom.worker.report;

import java.io.IOException;
import java.io.InputStream;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

import dev.mailroom.tlsreport.TlsReport;
import dev.mailroom.tlsreport.TlsReport.Failure;
import dev.mailroom.tlsreport.TlsReport.Policy;
import dev.mailroom.worker.report.Unreadable.Reason;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Parses a report about TLS from JSON. Senders omit fields; only the id and the period
 * must be there.
 */
final class TlsReportParser {

	private static final int MAX_BYTES = 1024 * 1024;

	private static final int MAX_ROWS = 1000;

	/** Longer values are cut. */
	private static final int MAX_TEXT = 300;

	/** Age of a report that is read, and its period at most. */
	private static final Duration MAX_AGE = Duration.ofDays(400);

	/** Sessions of a row at most; more are a mistake. */
	private static final long MAX_COUNT = 1_000_000_000;

	private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}+");

	private TlsReportParser() {
	}

	static TlsReport parse(InputStream json, Instant now) throws IOException {
		byte[] content = json.readNBytes(MAX_BYTES + 1);
		if (content.length > MAX_BYTES) {
			throw new Unreadable(Reason.TOO_LARGE, "The unpacked report has more than " + MAX_BYTES + " bytes");
		}
		JsonNode report;
		try {
			report = JsonMapper.shared().readTree(content);
		}
		catch (JacksonException _) {
			throw new Unreadable(Reason.NOT_JSON, "The report is no well-formed JSON");
		}
		String id = text(report, "report-id");
		JsonNode range = report.path("date-range");
		Instant begin = time(range, "start-datetime");
		Instant end = time(range, "end-datetime");
		if (id.isEmpty() || begin.isBefore(now.minus(MAX_AGE)) || end.isBefore(begin)
				|| end.isAfter(begin.plus(MAX_AGE)) || begin.isAfter(now.plus(Duration.ofDays(2)))) {
			throw new Unreadable(Reason.INCOMPLETE, "The report has no id or no possible period");
		}
		return new TlsReport(text(report, "organization-name"), id, begin, end, policies(report.path("policies")));
	}

	private static List<Policy> policies(JsonNode values) throws Unreadable {
		List<Policy> policies = new ArrayList<>();
		int rows = 0;
		for (JsonNode value : values) {
			JsonNode policy = value.path("policy");
			JsonNode summary = value.path("summary");
			List<Failure> failures = failures(text(policy, "policy-type"), value.path("failure-details"));
			rows += 1 + failures.size();
			if (rows > MAX_ROWS) {
				throw new Unreadable(Reason.TOO_MANY_ROWS, "The report has more than " + MAX_ROWS + " rows");
			}
			policies.add(new Policy(name(policy, "policy-domain"), count(summary, "total-successful-session-count"),
					count(summary, "total-failure-session-count"), failures));
		}
		return policies;
	}

	private static List<Failure> failures(String type, JsonNode values) {
		List<Failure> failures = new ArrayList<>();
		for (JsonNode value : values) {
			long sessions = count(value, "failed-session-count");
			if (sessions > 0) {
				failures.add(new Failure(type, text(value, "result-type"), text(value, "sending-mta-ip"),
						name(value, "receiving-mx-hostname"), text(value, "failure-reason-code"), sessions));
			}
		}
		return failures;
	}

	private static Instant time(JsonNode range, String field) throws Unreadable {
		try {
			return OffsetDateTime.parse(text(range, field)).toInstant();
		}
		catch (DateTimeException _) {
			throw new Unreadable(Reason.INCOMPLETE, "The report has no period");
		}
	}

	private static long count(JsonNode object, String field) {
		return Math.clamp(object.path(field).asLong(0), 0, MAX_COUNT);
	}

	private static String name(JsonNode object, String field) {
		String name = text(object, field).toLowerCase(Locale.ROOT);
		return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
	}

	private static String text(JsonNode object, String field) {
		String text = CONTROL.matcher(object.path(field).asString("")).replaceAll(" ").strip();
		return text.substring(0, Math.min(text.length(), MAX_TEXT));
	}

}
