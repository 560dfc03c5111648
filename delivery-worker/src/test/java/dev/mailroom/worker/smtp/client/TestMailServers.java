package dev.mailroom.worker.smtp.client;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import dev.mailroom.Await;
import dev.mailroom.ScriptedSmtpServer;
import dev.mailroom.domain.TestDns;
import dev.mailroom.mail.queue.Route;
import dev.mailroom.mail.queue.TransportKind;
import dev.mailroom.source.SendingPools;
import dev.mailroom.tlspolicy.StsPolicy;
import dev.mailroom.tlsreport.TlsSessionGroup;
import dev.mailroom.worker.smtp.client.DnssecSettings.Mode;
import dev.mailroom.worker.smtp.client.Session.Envelope;
import dev.mailroom.worker.smtp.client.Session.HandOverResult;
import dev.mailroom.worker.smtp.client.SessionOpener.TlsMode;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.xbill.DNS.ExtendedResolver;
import org.xbill.DNS.Resolver;
import org.xbill.DNS.SimpleResolver;

/**
 * DNS and scripted mail servers for tests of {@link DirectMx}. The domain b.test has the
 * servers one.mx.test (127.0.0.2, running) and two.mx.test (127.0.0.3, started on
 * demand).
 */
final class TestMailServers implements AutoCloseable {

	private static final DnssecSettings OFF = new DnssecSettings(Mode.OFF, false, List.of(), "", false, false);

	static final Dane NO_DANE = new Dane(OFF, 25, new SecureDns(OFF, () -> {
		throw new AssertionError("DNSSEC is off");
	}), (_) -> false, (_, _) -> {
	}, new SimpleMeterRegistry(), Duration.ofMinutes(1));

	private static final byte[] MESSAGE = "Subject: x\r\n\r\nhi\r\n".getBytes(StandardCharsets.UTF_8);

	private final TestDns dns = new TestDns();

	private final ScriptedSmtpServer first = new ScriptedSmtpServer(InetAddress.ofLiteral("127.0.0.2"), 0);

	private final List<AutoCloseable> resources = new ArrayList<>();

	/** Sessions of all transports. */
	private final Map<TlsSessionGroup, Long> counted = new HashMap<>();

	private final TlsSessions counts = new TlsSessions(true, true, this.counted::putAll, Clock.systemUTC());

	TestMailServers() {
		this.dns.publish("MX", "b.test", "20 two.mx.test", "10 one.mx.test");
		this.dns.publish("A", "one.mx.test", "127.0.0.2");
		this.dns.publish("A", "two.mx.test", "127.0.0.3");
		this.resources.add(this.first);
		this.resources.add(this.dns);
	}

	TestDns dns() {
		return this.dns;
	}

	/** The server at 127.0.0.2. */
	ScriptedSmtpServer first() {
		return this.first;
	}

	/** Starts the server at 127.0.0.3. */
	ScriptedSmtpServer startSecond() {
		ScriptedSmtpServer second = new ScriptedSmtpServer(InetAddress.ofLiteral("127.0.0.3"), this.first.port());
		this.resources.addFirst(second);
		return second;
	}

	/** A transport with optional TLS. */
	DirectMx transport() {
		return transport(TlsMode.STARTTLS, null, true);
	}

	/** A transport without profiles. */
	DirectMx transport(TlsMode tls, Path caFile, boolean privateAddresses) {
		MxSettings settings = settings(tls, caFile, privateAddresses, false);
		return transport(settings, new SitePaces(settings, Clock.systemUTC(), new SimpleMeterRegistry()));
	}

	DirectMx transport(MxSettings settings, SitePaces paces) {
		return transport(settings, paces, SendingPools.NONE);
	}

	/** A transport with sending addresses. */
	DirectMx transport(MxSettings settings, SitePaces paces, SendingPools pools) {
		return transport(settings, paces,
				new LocalSources(() -> pools, (_, _) -> true, Clock.systemUTC(), new SimpleMeterRegistry()));
	}

	DirectMx transport(MxSettings settings, SitePaces paces, LocalSources sources) {
		MailServers lookups = lookups();
		return transport(settings, lookups, paces, sources,
				new MtaSts(settings, lookups, (_) -> Optional.empty(), (_, _) -> {
				}, (_, _) -> {
				}, new SimpleMeterRegistry(), Clock.systemUTC()), NO_DANE);
	}

	private DirectMx transport(MxSettings settings, MailServers lookups, SitePaces paces, LocalSources sources,
			MtaSts policies, Dane dane) {
		DirectMx mx = new DirectMx(settings, lookups, policies, dane, this.counts, paces, sources, Clock.systemUTC());
		this.resources.addFirst(mx::destroy);
		return mx;
	}

	MxSettings settings(TlsMode tls, Path caFile, boolean privateAddresses, boolean profiles) {
		return new MxSettings(this.first.port(), "helo.test", tls, caFile, privateAddresses, profiles, 20, 50,
				Duration.ofSeconds(30), false, 443, Duration.ofSeconds(2), Duration.ofSeconds(12),
				Duration.ofSeconds(5), Duration.ofSeconds(5));
	}

	/** A transport that applies policies, which are kept in a map as in the database. */
	DirectMx transport(Path caFile, int policyPort, Map<String, StsPolicy> policies, MeterRegistry registry) {
		return transport(caFile, policyPort, policies, registry, NO_DANE);
	}

	/** A transport that applies policies and DANE. */
	DirectMx transport(Path caFile, int policyPort, Map<String, StsPolicy> policies, MeterRegistry registry,
			Dane dane) {
		return transport(resolver(this.dns), this.first.port(), caFile, policyPort, policies, registry, dane);
	}

	/** A transport to servers at another port, which another resolver finds. */
	DirectMx transport(Resolver resolver, int port, Path caFile, int policyPort, Map<String, StsPolicy> policies,
			MeterRegistry registry, Dane dane) {
		MxSettings settings = new MxSettings(port, "helo.test", TlsMode.STARTTLS, caFile, true, true, 20, 50,
				Duration.ofSeconds(30), true, policyPort, Duration.ofSeconds(2), Duration.ofSeconds(12),
				Duration.ofSeconds(5), Duration.ofSeconds(5));
		MailServers lookups = new MailServers(resolver, Set.of("us.mx.test"));
		return transport(settings, lookups, new SitePaces(settings, Clock.systemUTC(), new SimpleMeterRegistry()),
				new LocalSources(() -> SendingPools.NONE, (_, _) -> true, Clock.systemUTC(), new SimpleMeterRegistry()),
				new MtaSts(settings, lookups, (domain) -> Optional.ofNullable(policies.get(domain)), policies::put,
						(_, _) -> {
						}, registry, Clock.systemUTC()),
				dane);
	}

	/** Lookups with an empty cache; us.mx.test is the platform's own server. */
	MailServers lookups() {
		return new MailServers(resolver(this.dns), Set.of("us.mx.test"));
	}

	static ExtendedResolver resolver(TestDns dns) {
		String[] address = dns.address().split(":", -1);
		ExtendedResolver resolver = new ExtendedResolver(
				new Resolver[] { new SimpleResolver(new InetSocketAddress(address[0], Integer.parseInt(address[1]))) });
		resolver.setTimeout(Duration.ofSeconds(2));
		resolver.setRetries(1);
		return resolver;
	}

	/** Counted sessions: policy, result, server and addresses, and the number. */
	List<String> counted() {
		this.counts.flush();
		return this.counted.entrySet()
			.stream()
			.map((entry) -> String
				.join(" ", entry.getKey().domain(), entry.getKey().policyType(), entry.getKey().policyDomain(),
						entry.getKey().result(), entry.getKey().mxHost(), entry.getKey().ip(), entry.getKey().source(),
						entry.getValue().toString())
				.replaceAll(" +", " "))
			.sorted()
			.toList();
	}

	/** Reasons of the counted sessions. */
	List<String> reasons() {
		return this.counted.keySet().stream().map(TlsSessionGroup::reason).toList();
	}

	static Route route(String domain, boolean requiresTls) {
		return new Route(new UUID(0, 0), domain, TransportKind.MX, requiresTls);
	}

	static HandOverResult hand(DirectMx mx, String domain) {
		return hand(mx, route(domain, false));
	}

	static HandOverResult hand(DirectMx mx, Route route) {
		return Await
			.await(mx.with(route, (session) -> session.hand(new Envelope("b@a.test", "c@" + route.domain()), MESSAGE)));
	}

	@Override
	public void close() throws Exception {
		for (AutoCloseable resource : this.resources) {
			resource.close();
		}
	}

}
