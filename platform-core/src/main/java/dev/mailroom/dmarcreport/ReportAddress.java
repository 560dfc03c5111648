package dev.mailroom.dmarcreport;

import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.mailroom.WrongSetting;
import dev.mailroom.secret.StampedIds;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.stereotype.Component;

/**
 * Addresses to which receivers send reports about a domain, protected against forgery. A
 * domain has none unless a domain for reports is configured.
 */
@Component
public class ReportAddress {

	private static final String DMARC = "dmarc report";

	private static final String TLS = "tls report";

	private static final Pattern LOCAL_PART = Pattern.compile("([dt])-([0-9a-v]{" + StampedIds.DIGITS + "})");

	private final StampedIds ids;

	private final ReportSettings settings;

	ReportAddress(StampedIds ids, ReportSettings settings) {
		this.ids = ids;
		this.settings = settings;
	}

	/** The address for reports of DMARC; empty if reports are not received. */
	public Optional<String> of(UUID account, UUID domain) {
		return of("d-", DMARC, account, domain);
	}

	/** The address for reports about TLS; empty if reports are not received. */
	public Optional<String> ofTls(UUID account, UUID domain) {
		return of("t-", TLS, account, domain);
	}

	private Optional<String> of(String prefix, String purpose, UUID account, UUID domain) {
		return reportDomain().map((name) -> prefix + this.ids.write(purpose, account, domain) + "@" + name);
	}

	/** The domain of an address for reports of DMARC; empty for any other address. */
	public Optional<StampedIds.Ids> read(String address) {
		return read("d", DMARC, address);
	}

	/** The domain of an address for reports about TLS; empty for any other address. */
	public Optional<StampedIds.Ids> readTls(String address) {
		return read("t", TLS, address);
	}

	private Optional<StampedIds.Ids> read(String prefix, String purpose, String address) {
		String key = address.strip().toLowerCase(Locale.ROOT);
		int at = key.lastIndexOf('@');
		Matcher local = LOCAL_PART.matcher(key.substring(0, Math.max(0, at)));
		return (reportDomain().filter(key.substring(at + 1)::equals).isPresent() && local.matches()
				&& local.group(1).equals(prefix)) ? this.ids.read(purpose, local.group(2)) : Optional.empty();
	}

	/** The domain of all addresses; empty if reports are not received. */
	public Optional<String> reportDomain() {
		return Optional.of(this.settings.reportDomain()).filter((name) -> !name.isEmpty());
	}

	/**
	 * Settings of reports.
	 *
	 * @param reportDomain domain of the addresses for reports; empty for none
	 * @param mxHost host that receives mail
	 */
	@ConfigurationProperties("mailroom")
	record ReportSettings(@DefaultValue("") String reportDomain, @DefaultValue("mx.mailroom.localhost") String mxHost) {

		private static final Pattern NAME = Pattern.compile("([a-z0-9]([a-z0-9-]*[a-z0-9])?\\.)+[a-z0-9-]*[a-z]");

		ReportSettings {
			reportDomain = reportDomain.strip().toLowerCase(Locale.ROOT);
			if (!reportDomain.isEmpty() && !NAME.matcher(reportDomain).matches()) {
				throw new WrongSetting("MAILROOM_REPORT_DOMAIN", reportDomain,
						"a domain whose mail this installation receives, such as reports.example.com");
			}
		}

	}

}
