package dev.mailroom.dmarcreport;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import dev.mailroom.dmarc.DmarcRecord;
import dev.mailroom.dmarcreport.ReportAddress.ReportSettings;
import dev.mailroom.domain.NameServers;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** The domain of all addresses for reports, as DNS shows it. */
@Component
public class ReportDomain {

	/** Stands for the domains of accounts, which a wildcard covers. */
	private static final String ANY = "any.example._report._dmarc.";

	private final NameServers servers;

	private final ReportSettings settings;

	ReportDomain(NameServers servers, ReportSettings settings) {
		this.servers = servers;
		this.settings = settings;
	}

	/** Whether reports are received. */
	public boolean isConfigured() {
		return !this.settings.reportDomain().isEmpty();
	}

	/** Looks up what receivers look up before they send a report; empty without one. */
	public Mono<List<Check>> checks() {
		if (!isConfigured()) {
			return Mono.just(List.of());
		}
		return authorisation().zipWith(mailHost(), List::of);
	}

	/**
	 * Receivers send reports to another domain only if it agrees (RFC 9990 section 4).
	 */
	private Mono<Check> authorisation() {
		return this.servers.texts(ANY + this.settings.reportDomain())
			.map((texts) -> texts.stream().map(DmarcRecord::parse).anyMatch(Optional::isPresent))
			.map((found) -> new Check(Kind.AUTHORISATION, found ? State.OK : State.FAILED,
					found ? "Any domain may name an address of " + this.settings.reportDomain() + "."
							: "Receivers send no reports: there is no record at *._report._dmarc."
									+ this.settings.reportDomain() + ".",
					"Publish TXT *._report._dmarc." + this.settings.reportDomain() + " with v=DMARC1;"))
			.onErrorReturn(UncheckedIOException.class, Check.unknown(Kind.AUTHORISATION));
	}

	private Mono<Check> mailHost() {
		return this.servers.mailHosts(this.settings.reportDomain())
			.map((hosts) -> hosts.map((found) -> found.contains(this.settings.mxHost().toLowerCase(Locale.ROOT)))
				.map((found) -> new Check(Kind.MX, found ? State.OK : State.FAILED,
						"Mail for " + this.settings.reportDomain() + (found ? " arrives" : " does not arrive") + " at "
								+ this.settings.mxHost() + ".",
						"Publish MX " + this.settings.reportDomain() + " with " + this.settings.mxHost() + "."))
				.orElse(Check.unknown(Kind.MX)));
	}

	/** DNS records that are looked up. */
	public enum Kind {

		/** The record that permits reports about other domains. */
		AUTHORISATION,
		/** The host that receives the mail. */
		MX;

		/** The value of labels. */
		public String label() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

	/** Results. */
	public enum State {

		/** As receivers expect it. */
		OK(0),
		/** No reports arrive. */
		FAILED(2),
		/** The name servers did not answer. */
		UNKNOWN(3);

		private final int value;

		State(int value) {
			this.value = value;
		}

		/** The value of the metric, as of checks of sending addresses. */
		public int value() {
			return this.value;
		}

	}

	/** Result of a lookup, with the remedy of a failure. */
	public record Check(Kind kind, State state, String finding, String fix) {

		static Check unknown(Kind kind) {
			return new Check(kind, State.UNKNOWN, "The name servers did not answer.", "");
		}

	}

}
