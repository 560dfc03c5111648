package dev.mailroom.worker.tracking;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import javax.net.ssl.SSLException;

import dev.mailroom.domain.NameServers;
import dev.mailroom.trackingdomain.TrackingDomain.Due;
import dev.mailroom.trackingdomain.TrackingDomains;
import dev.mailroom.trackingdomain.TrackingFinding;
import dev.mailroom.trackingdomain.TrackingNames;
import dev.mailroom.worker.webhook.CheckedAddresses;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientResponse;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Checks that a tracking domain leads here: its CNAME record, and then a request over
 * HTTPS, as the programs of recipients make it. Only this platform knows the answer. The
 * addresses are those of webhook calls: public, checked, and without redirects.
 */
@Component
public class TrackingProbe {

	private static final int HTTPS = 443;

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	private static final int NONCE_BYTES = 16;

	private static final int MAX_ANSWER_BYTES = 1024;

	private static final int OK = 200;

	private final NameServers dns;

	private final TrackingDomains domains;

	private final TrackingNames names;

	private final HttpClient client;

	private final int port;

	private final SecureRandom random = new SecureRandom();

	@Autowired
	TrackingProbe(NameServers dns, TrackingDomains domains, TrackingNames names, CheckedAddresses addresses,
			AcmeSettings settings) throws SSLException {
		this(dns, domains, names, addresses, HTTPS, trusted(settings));
	}

	private static @Nullable SslContext trusted(AcmeSettings settings) throws SSLException {
		@Nullable Path authorities = settings.caFile();
		return (authorities != null && settings.hasAuthorities())
				? SslContextBuilder.forClient().trustManager(authorities.toFile()).build() : null;
	}

	/**
	 * Creates a probe.
	 * @param trusted context with the authorities; null for the public ones
	 */
	TrackingProbe(NameServers dns, TrackingDomains domains, TrackingNames names, CheckedAddresses addresses, int port,
			@Nullable SslContext trusted) {
		this.dns = dns;
		this.domains = domains;
		this.names = names;
		this.port = port;
		this.client = addresses.client(TIMEOUT, trusted);
	}

	/** Checks a name and waits for the result. */
	public TrackingFinding check(Due due) {
		String name = due.name();
		Optional<List<String>> aliases = Objects.requireNonNull(this.dns.aliases(name).block());
		if (aliases.isEmpty()) {
			return new TrackingFinding.Unknown(
					"The name servers did not answer for " + name + "; the check is repeated");
		}
		if (!aliases.get().contains(this.domains.target())) {
			return new TrackingFinding.Elsewhere("Expected CNAME " + name + " to be " + this.domains.target()
					+ ", found " + (aliases.get().isEmpty() ? "nothing" : String.join(", ", aliases.get())));
		}
		return reach(name);
	}

	private TrackingFinding reach(String name) {
		byte[] random = new byte[NONCE_BYTES];
		this.random.nextBytes(random);
		String nonce = HexFormat.of().formatHex(random);
		String expected = this.names.proof(name, nonce);
		try {
			return Objects.requireNonNull(this.client.headers((headers) -> headers.set("Host", name))
				.get()
				.uri("https://" + name + ":" + this.port + TrackingNames.PROOF_PATH + nonce)
				.response((response, content) -> answer(response, content, expected))
				.next()
				.timeout(TIMEOUT)
				.block());
		}
		catch (RuntimeException ex) {
			return new TrackingFinding.Unreached(
					"HTTPS does not work for " + name + ": " + CheckedAddresses.reason(Exceptions.unwrap(ex), TIMEOUT));
		}
	}

	private static Mono<TrackingFinding> answer(HttpClientResponse response, ByteBufFlux content, String expected) {
		if (response.status().code() != OK) {
			return Mono.just(new TrackingFinding.Unreached(
					"A request over HTTPS does not reach this platform: the response was " + response.status().code()));
		}
		return content.asByteArray()
			.scan(new byte[0], TrackingProbe::joined)
			.takeUntil((bytes) -> bytes.length > MAX_ANSWER_BYTES)
			.last()
			.map((bytes) -> new String(bytes, StandardCharsets.US_ASCII).equals(expected)
					? new TrackingFinding.Reached()
					: new TrackingFinding.Unreached(
							"A request over HTTPS does not reach this platform, or not with its host "
									+ "name: another server answered"));
	}

	private static byte[] joined(byte[] first, byte[] second) {
		byte[] joined = new byte[first.length + second.length];
		System.arraycopy(first, 0, joined, 0, first.length);
		System.arraycopy(second, 0, joined, first.length, second.length);
		return joined;
	}

}
