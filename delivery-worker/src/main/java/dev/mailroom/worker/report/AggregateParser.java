package dev.mailroom.worker.report;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

import dev.mailroom.dmarcreport.AggregateReport;
import dev.mailroom.dmarcreport.AggregateReport.Row;
import dev.mailroom.worker.report.Unreadable.Reason;
import org.jspecify.annotations.Nullable;

/**
 * Parses an aggregate report from XML. Elements are found by their local names, because
 * receivers use the namespace of one of the RFCs, another one, or none. Document types
 * are refused, and with them entities.
 */
final class AggregateParser {

	private static final int MAX_ROWS = 20_000;

	private static final int MAX_DEPTH = 20;

	/** Longer values are cut. */
	private static final int MAX_TEXT = 300;

	private static final int MAX_SELECTORS = 10;

	/** Age of a report that is read, and its period at most. */
	private static final Duration MAX_AGE = Duration.ofDays(400);

	/** Mails of a row at most; more are a mistake. */
	private static final long MAX_COUNT = 1_000_000_000;

	/** Tags of the policy that are kept. */
	private static final Set<String> POLICY = Set.of("domain", "adkim", "aspf", "p", "sp", "np", "pct", "fo", "testing",
			"discovery_method");

	private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}+");

	private static final XMLInputFactory FACTORY = factory();

	private final Instant now;

	private final Deque<String> path = new ArrayDeque<>();

	private final StringBuilder text = new StringBuilder();

	private final Map<String, String> metadata = new HashMap<>();

	private final Map<String, String> policy = new LinkedHashMap<>();

	private final Map<String, String> row = new HashMap<>();

	private final Map<String, String> signature = new HashMap<>();

	private final Map<String, String> spf = new HashMap<>();

	private final List<String> selectors = new ArrayList<>();

	private final List<Row> rows = new ArrayList<>();

	private AggregateParser(Instant now) {
		this.now = now;
	}

	/** Parses a report; it may have no rows. */
	static AggregateReport parse(InputStream xml, Instant now) throws IOException {
		AggregateParser parser = new AggregateParser(now);
		try {
			parser.read(FACTORY.createXMLStreamReader(xml));
		}
		catch (XMLStreamException ex) {
			if (ex.getNestedException() instanceof IOException cause) {
				throw cause;
			}
			throw new Unreadable(Reason.NOT_XML, "The report is no well-formed XML" + place(ex));
		}
		return parser.report();
	}

	private static String place(XMLStreamException failure) {
		return (failure.getLocation() != null) ? ", in line " + failure.getLocation().getLineNumber() : "";
	}

	private static XMLInputFactory factory() {
		XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
		factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
		factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
		factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
		return factory;
	}

	private void read(XMLStreamReader xml) throws XMLStreamException, Unreadable {
		while (xml.hasNext()) {
			switch (xml.next()) {
				case XMLStreamConstants.DTD, XMLStreamConstants.ENTITY_REFERENCE ->
					throw new Unreadable(Reason.DOCUMENT_TYPE, "The report has a document type or an entity");
				case XMLStreamConstants.START_ELEMENT -> begin(xml.getLocalName());
				case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> append(xml);
				case XMLStreamConstants.END_ELEMENT -> end();
				default -> {
				}
			}
		}
	}

	private void begin(String name) throws Unreadable {
		if (this.path.size() == MAX_DEPTH) {
			throw new Unreadable(Reason.NOT_XML, "The elements of the report are nested too deep");
		}
		if (this.path.isEmpty() && !name.equals("feedback")) {
			throw new Unreadable(Reason.NO_REPORT, "The XML is no report of DMARC");
		}
		this.path.addLast(name);
		this.text.setLength(0);
	}

	private void append(XMLStreamReader xml) {
		int length = Math.min(xml.getTextLength(), MAX_TEXT - this.text.length());
		if (length > 0) {
			this.text.append(xml.getTextCharacters(), xml.getTextStart(), length);
		}
	}

	private void end() throws Unreadable {
		String at = String.join("/", this.path);
		String name = this.path.removeLast();
		String value = CONTROL.matcher(this.text).replaceAll(" ").strip();
		this.text.setLength(0);
		switch (at) {
			case "feedback/report_metadata/org_name", "feedback/report_metadata/report_id",
					"feedback/report_metadata/date_range/begin", "feedback/report_metadata/date_range/end" ->
				this.metadata.putIfAbsent(name, value);
			case "feedback/record/row/source_ip", "feedback/record/row/count",
					"feedback/record/row/policy_evaluated/disposition", "feedback/record/row/policy_evaluated/dkim",
					"feedback/record/row/policy_evaluated/spf", "feedback/record/identifiers/header_from",
					"feedback/record/identifiers/envelope_from" ->
				this.row.putIfAbsent(name, value);
			case "feedback/record/auth_results/dkim/selector", "feedback/record/auth_results/dkim/domain" ->
				this.signature.putIfAbsent(name, value);
			case "feedback/record/auth_results/dkim" -> addSelector();
			case "feedback/record/auth_results/spf/domain", "feedback/record/auth_results/spf/scope" ->
				this.spf.putIfAbsent(name, value);
			case "feedback/record/auth_results/spf" -> addSpf();
			case "feedback/record" -> addRow();
			default -> {
				if (at.startsWith("feedback/policy_published/") && POLICY.contains(name) && !value.isEmpty()) {
					this.policy.putIfAbsent(name, value.toLowerCase(Locale.ROOT));
				}
			}
		}
	}

	private void addSelector() {
		if (this.selectors.size() < MAX_SELECTORS && this.signature.containsKey("domain")) {
			this.selectors
				.add(this.signature.getOrDefault("selector", "") + "@" + domain(this.signature.get("domain")));
		}
		this.signature.clear();
	}

	/**
	 * Many receivers name the envelope sender only as the domain that SPF was asked
	 * about.
	 */
	private void addSpf() {
		if (this.spf.containsKey("domain") && !"helo".equalsIgnoreCase(this.spf.get("scope"))) {
			this.row.putIfAbsent("spf_domain", this.spf.get("domain"));
		}
		this.spf.clear();
	}

	/** Rows without an address or a number say nothing and are left out. */
	private void addRow() throws Unreadable {
		if (this.rows.size() == MAX_ROWS) {
			throw new Unreadable(Reason.TOO_MANY_ROWS, "The report has more than " + MAX_ROWS + " rows");
		}
		@Nullable InetAddress source = source();
		long count = number(this.row.get("count"));
		if (source != null && count > 0 && count <= MAX_COUNT) {
			String author = domain(this.row.getOrDefault("header_from", this.policy.getOrDefault("domain", "")));
			this.rows.add(new Row(source, count, disposition(), passes("dkim"), passes("spf"), author,
					domain(this.row.getOrDefault("envelope_from", this.row.getOrDefault("spf_domain", ""))),
					String.join(" ", this.selectors)));
		}
		this.row.clear();
		this.selectors.clear();
	}

	private @Nullable InetAddress source() {
		try {
			return InetAddress.ofLiteral(this.row.getOrDefault("source_ip", ""));
		}
		catch (IllegalArgumentException _) {
			return null;
		}
	}

	/** Mails that passed have {@code pass} in RFC 9990 and {@code none} in RFC 7489. */
	private String disposition() {
		return switch (this.row.getOrDefault("disposition", "none").toLowerCase(Locale.ROOT)) {
			case "none", "pass", "" -> "none";
			case "quarantine" -> "quarantine";
			case "reject" -> "reject";
			default -> "other";
		};
	}

	private boolean passes(String check) {
		return "pass".equalsIgnoreCase(this.row.get(check));
	}

	private static String domain(@Nullable String name) {
		String domain = Objects.requireNonNullElse(name, "").toLowerCase(Locale.ROOT);
		return domain.endsWith(".") ? domain.substring(0, domain.length() - 1) : domain;
	}

	private static long number(@Nullable String digits) {
		try {
			return (digits != null) ? Long.parseLong(digits) : 0;
		}
		catch (NumberFormatException _) {
			return 0;
		}
	}

	private AggregateReport report() throws Unreadable {
		String id = this.metadata.getOrDefault("report_id", "");
		Instant begin = time("begin");
		Instant end = time("end");
		if (id.isEmpty() || begin.isBefore(this.now.minus(MAX_AGE)) || end.isBefore(begin)
				|| end.isAfter(this.now.plus(Duration.ofDays(2)))) {
			throw new Unreadable(Reason.INCOMPLETE, "The report has no id, or no period of the last 400 days");
		}
		return new AggregateReport(this.metadata.getOrDefault("org_name", ""), id, begin, end, this.policy, this.rows);
	}

	private Instant time(String name) {
		try {
			return Instant.ofEpochSecond(number(this.metadata.get(name)));
		}
		catch (DateTimeException _) {
			return Instant.EPOCH;
		}
	}

}
