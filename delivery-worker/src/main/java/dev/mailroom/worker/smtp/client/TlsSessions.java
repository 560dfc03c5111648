package dev.mailroom.worker.smtp.client;

import java.net.InetAddress;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;

import dev.mailroom.tlsreport.OutgoingTlsReports;
import dev.mailroom.tlsreport.TlsSessionGroup;
import dev.mailroom.webhook.PublicAddress;
import dev.mailroom.worker.smtp.client.SessionOpener.NoTls;
import dev.mailroom.worker.smtp.client.SessionOpener.RefusedSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Counts direct sessions by the policy about TLS of the recipients' domain, for reports
 * to that domain (RFC 8460). A session counts once, when it is opened or refused; the
 * counts are saved every ten seconds. Those of the last seconds are lost with a worker
 * that crashes.
 */
@Component
public class TlsSessions implements SmartLifecycle {

	private static final Logger log = LoggerFactory.getLogger(TlsSessions.class);

	private static final Duration INTERVAL = Duration.ofSeconds(10);

	/** Before the sender threads, so that it stops after them. */
	private static final int PHASE = DEFAULT_PHASE - 2000;

	/** Groups between two saves, and while the database is away. */
	private static final int MAX_GROUPS = 20_000;

	private static final int MAX_REASON = 200;

	private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}+");

	private final boolean on;

	private final boolean anyAddress;

	private final Consumer<Map<TlsSessionGroup, Long>> save;

	private final Clock clock;

	private final Map<TlsSessionGroup, Long> counts = new ConcurrentHashMap<>();

	private @Nullable ScheduledExecutorService timer;

	@Autowired
	TlsSessions(Settings settings, MxSettings mx, OutgoingTlsReports reports, Clock clock) {
		this(settings.isOn(), mx.privateAddresses(), reports::count, clock);
	}

	/**
	 * Creates the counts.
	 * @param on whether sessions are counted
	 * @param anyAddress whether own addresses are reported that are not public
	 * @param save adds counts to those that are stored
	 */
	TlsSessions(boolean on, boolean anyAddress, Consumer<Map<TlsSessionGroup, Long>> save, Clock clock) {
		this.on = on;
		this.anyAddress = anyAddress;
		this.save = save;
		this.clock = clock;
	}

	/** Whether sessions are counted and reports sent. */
	public boolean isOn() {
		return this.on;
	}

	/**
	 * Counts the session that is opened. An error other than {@link NoTls} is no result
	 * of TLS.
	 * @param policy null for sessions that are not counted
	 */
	Mono<SmtpSession> count(Mono<SmtpSession> opening, @Nullable Policy policy, String host, InetAddress address,
			Transcript transcript) {
		if (!this.on || policy == null) {
			return opening;
		}
		return opening
			.doOnNext((session) -> count(policy, session.isEncrypted() ? "" : "starttls-not-supported", host, address,
					transcript.local(), ""))
			.doOnError(NoTls.class,
					(error) -> count(policy, result(error), host, address, transcript.local(), reason(error)));
	}

	/**
	 * Counts a session.
	 * @param result result of RFC 8460 section 4.3; empty for success
	 * @param host name of the server
	 * @param address address of the server; null if none was contacted
	 * @param local own address; null if it is not known
	 * @param reason text of the error or of the server's reply; may be empty
	 */
	void count(Policy policy, String result, String host, @Nullable InetAddress address, @Nullable InetAddress local,
			String reason) {
		if (!this.on) {
			return;
		}
		String kind = (policy.failure() != null) ? policy.failure() : result;
		LocalDate day = LocalDate.ofInstant(this.clock.instant(), ZoneOffset.UTC);
		boolean shown = local != null && (this.anyAddress || PublicAddress.is(local));
		TlsSessionGroup group = kind.isEmpty()
				? new TlsSessionGroup(policy.domain(), day, policy.type(), policy.policyDomain(), "", "", "", "", "")
				: new TlsSessionGroup(policy.domain(), day, policy.type(), policy.policyDomain(), kind,
						(shown && local != null) ? local.getHostAddress() : "", host,
						(address != null) ? address.getHostAddress() : "", result.equals(kind) ? reason : "");
		if (this.counts.size() < MAX_GROUPS || this.counts.containsKey(group)) {
			this.counts.merge(group, 1L, Long::sum);
		}
	}

	/** The result of a session in which TLS failed. */
	private static String result(NoTls error) {
		if (error.getCause() == null || error.getCause() instanceof RefusedSession) {
			return "starttls-not-supported";
		}
		String result = "validation-failure";
		for (Throwable cause = error.getCause(); cause != null; cause = cause.getCause()) {
			if (cause instanceof CertificateExpiredException || (cause instanceof CertPathValidatorException path
					&& path.getReason() == CertPathValidatorException.BasicReason.EXPIRED)) {
				return "certificate-expired";
			}
			if (cause instanceof CertPathBuilderException || cause instanceof CertPathValidatorException) {
				result = "certificate-not-trusted";
			}
			else if (cause instanceof CertificateException && cause.getCause() == null) {
				result = "certificate-host-mismatch";
			}
		}
		return result;
	}

	/**
	 * The deepest message of the error: the server's reply, or the fault of the
	 * certificate.
	 */
	private static String reason(NoTls error) {
		String reason = "";
		for (Throwable cause = error.getCause(); cause != null; cause = cause.getCause()) {
			String message = (cause instanceof RefusedSession refused) ? refused.reply() : cause.getMessage();
			reason = (message != null) ? message : reason;
		}
		return CONTROL.matcher(reason.substring(0, Math.min(reason.length(), MAX_REASON))).replaceAll(" ").strip();
	}

	/** Saves the counts. What cannot be saved is tried again. */
	void flush() {
		Map<TlsSessionGroup, Long> taken = new HashMap<>();
		for (TlsSessionGroup group : List.copyOf(this.counts.keySet())) {
			@Nullable Long sessions = this.counts.remove(group);
			if (sessions != null) {
				taken.put(group, sessions);
			}
		}
		if (taken.isEmpty()) {
			return;
		}
		try {
			this.save.accept(taken);
		}
		catch (RuntimeException ex) {
			log.warn("Sessions could not be counted for reports about TLS: {}", ex.toString());
			taken.forEach((group, sessions) -> this.counts.merge(group, sessions, Long::sum));
		}
	}

	@Override
	public void start() {
		if (this.on) {
			this.timer = Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().name("tls-sessions").factory());
			Future<?> _ = this.timer.scheduleWithFixedDelay(this::flush, INTERVAL.toSeconds(), INTERVAL.toSeconds(),
					TimeUnit.SECONDS);
		}
	}

	@Override
	public void stop() {
		if (this.timer != null) {
			this.timer.shutdownNow();
			this.timer = null;
			flush();
		}
	}

	@Override
	public boolean isRunning() {
		return this.timer != null;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	/**
	 * A policy under which sessions are opened.
	 *
	 * @param domain domain of recipients
	 * @param type sts, tlsa or no-policy-found
	 * @param policyDomain the domain of recipients for sts and no-policy-found, the base
	 * domain of the TLSA records for tlsa
	 * @param failure result of all sessions, if the policy itself has failed; else null
	 */
	record Policy(String domain, String type, String policyDomain, @Nullable String failure) {

		/** The absence of a policy. */
		static Policy none(String domain) {
			return new Policy(domain, "no-policy-found", domain, null);
		}

		Policy failing(String failure) {
			return new Policy(this.domain, this.type, this.policyDomain, failure);
		}

		/** TLSA records below a base domain. */
		static Policy tlsa(String domain, String base) {
			return new Policy(domain, "tlsa", base, null);
		}

		/** A policy of MTA-STS; with a failure if it could not be fetched. */
		static Policy sts(String domain, @Nullable String failure) {
			return new Policy(domain, "sts", domain, failure);
		}

	}

	/**
	 * Settings of reports about TLS.
	 *
	 * @param platformDomain domain of the platform's own mail
	 * @param tlsReports whether reports are sent, if the platform has a domain
	 */
	@ConfigurationProperties("mailroom")
	record Settings(@DefaultValue("mailroom.localhost") String platformDomain, @DefaultValue("on") boolean tlsReports) {

		boolean isOn() {
			return this.tlsReports && !this.platformDomain.strip().endsWith("localhost");
		}

	}

}
