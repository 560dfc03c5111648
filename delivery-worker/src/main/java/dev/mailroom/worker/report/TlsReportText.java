package dev.mailroom.worker.report;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;

import dev.mailroom.tlspolicy.StsPolicy;
import dev.mailroom.tlsreport.OutgoingTlsReports.Counted;
import dev.mailroom.tlsreport.OutgoingTlsReports.Due;
import dev.mailroom.tlsreport.TlsSessionGroup;
import tools.jackson.databind.json.JsonMapper;

/**
 * Text of a report about TLS (RFC 8460 section 4).
 *
 * @param due domain and day
 * @param submitter domain that sends the report
 * @param sessions the sessions of the day
 */
record TlsReportText(Due due, String submitter, List<Counted> sessions) {

	/** The id is the same at each attempt, and unique. */
	String id() {
		return this.due.day() + "." + this.due.domain() + "@" + this.submitter;
	}

	/** Name of the file (section 5.1). */
	String fileName() {
		return String.join("!", this.submitter, this.due.domain(), Long.toString(begin().getEpochSecond()),
				Long.toString(end().getEpochSecond())) + ".json.gz";
	}

	private Instant begin() {
		return this.due.day().atStartOfDay(ZoneOffset.UTC).toInstant();
	}

	/** The last second of the day. */
	private Instant end() {
		return this.due.day().plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant().minusSeconds(1);
	}

	/** Number of sessions that satisfied the policies, or did not. */
	long count(boolean success) {
		return count(this.sessions, success);
	}

	private static long count(List<Counted> sessions, boolean success) {
		return sessions.stream()
			.filter((counted) -> counted.group().isSuccess() == success)
			.mapToLong(Counted::sessions)
			.sum();
	}

	/**
	 * JSON, compressed by gzip.
	 * @param policies finds the policy of MTA-STS of a domain
	 */
	byte[] compressed(Function<String, Optional<StsPolicy>> policies) {
		Map<String, Object> report = new LinkedHashMap<>();
		report.put("organization-name", this.submitter);
		report.put("date-range", ordered("start-datetime", begin().toString(), "end-datetime", end().toString()));
		report.put("contact-info", "postmaster@" + this.submitter);
		report.put("report-id", id());
		report.put("policies",
				this.sessions.stream()
					.collect(Collectors.groupingBy(
							(counted) -> List.of(counted.group().policyType(), counted.group().policyDomain()),
							LinkedHashMap::new, Collectors.toList()))
					.values()
					.stream()
					.map((counted) -> policy(counted, policies))
					.toList());
		ByteArrayOutputStream compressed = new ByteArrayOutputStream();
		try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
			gzip.write(JsonMapper.shared().writeValueAsBytes(report));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return compressed.toByteArray();
	}

	private static Map<String, Object> policy(List<Counted> sessions, Function<String, Optional<StsPolicy>> policies) {
		TlsSessionGroup first = sessions.getFirst().group();
		Map<String, Object> policy = ordered("policy-type", first.policyType());
		if (first.policyType().equals("sts")) {
			policies.apply(first.policyDomain()).ifPresent((sts) -> {
				policy.put("policy-string", sts.lines());
				policy.put("mx-host", sts.mx());
			});
		}
		policy.put("policy-domain", first.policyDomain());
		Map<String, Object> result = ordered("policy", policy, "summary", ordered("total-successful-session-count",
				count(sessions, true), "total-failure-session-count", count(sessions, false)));
		List<Map<String, Object>> failures = new ArrayList<>();
		sessions.stream().filter((counted) -> !counted.group().isSuccess()).forEach((counted) -> {
			TlsSessionGroup group = counted.group();
			Map<String, Object> failure = ordered("result-type", group.result());
			putUnlessEmpty(failure, "sending-mta-ip", group.source());
			putUnlessEmpty(failure, "receiving-mx-hostname", group.mxHost());
			putUnlessEmpty(failure, "receiving-ip", group.ip());
			failure.put("failed-session-count", counted.sessions());
			putUnlessEmpty(failure, "failure-reason-code", group.reason());
			failures.add(failure);
		});
		if (!failures.isEmpty()) {
			result.put("failure-details", failures);
		}
		return result;
	}

	private static void putUnlessEmpty(Map<String, Object> object, String name, String value) {
		if (!value.isEmpty()) {
			object.put(name, value);
		}
	}

	private static Map<String, Object> ordered(Object... fields) {
		Map<String, Object> object = new LinkedHashMap<>();
		for (int i = 0; i < fields.length; i += 2) {
			object.put((String) fields[i], fields[i + 1]);
		}
		return object;
	}

}
