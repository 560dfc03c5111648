package dev.mailroom.worker.bimi;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

import dev.mailroom.readiness.BimiRecord;
import dev.mailroom.readiness.BimiRecord.Problem;
import dev.mailroom.worker.webhook.CheckedAddresses;
import io.netty.handler.ssl.SslContext;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientResponse;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Fetches the logo of a domain and its certificate, and says why providers would not show
 * them. The addresses are those of webhook calls: public, checked, and without redirects.
 */
@Component
public class BimiProbe {

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	private static final int OK = 200;

	private final HttpClient client;

	private final Clock clock;

	@Autowired
	BimiProbe(CheckedAddresses addresses, Clock clock) {
		this(addresses, clock, null);
	}

	/**
	 * Creates a probe.
	 * @param trusted context with the authorities; null for the public ones
	 */
	BimiProbe(CheckedAddresses addresses, Clock clock, @Nullable SslContext trusted) {
		this.client = addresses.client(TIMEOUT, trusted);
		this.clock = clock;
	}

	/** The problems with the files of a domain's record. */
	public List<Problem> check(String domain, BimiRecord record) {
		List<Problem> problems = new ArrayList<>();
		if (record.logo().isEmpty()) {
			problems.add(new Problem("The record names no logo (l=).",
					"Add l= with the URL of the logo to the BIMI record."));
		}
		else {
			problems.addAll(check("logo", record.logo(), BimiLogo.MAX_BYTES, BimiLogo::check));
		}
		if (record.certificate().isEmpty()) {
			problems.add(new Problem("The record names no certificate (a=): Gmail and Apple show no logo without one.",
					"Obtain a certificate for the logo (VMC or CMC), and add a= with its URL to the BIMI record."));
		}
		else {
			List<String> names = List.of(domain, record.at());
			problems.addAll(check("certificate", record.certificate(), BimiCertificate.MAX_BYTES,
					(bytes) -> BimiCertificate.check(bytes, names, this.clock.instant())));
		}
		return problems;
	}

	private List<Problem> check(String what, String url, int max, Function<byte[], List<Problem>> content) {
		try {
			return content.apply(fetch(uri(url), max));
		}
		catch (URISyntaxException _) {
			return List.of(new Problem("The URL of the " + what + " does not begin with https://.",
					"Serve the " + what + " over HTTPS, and name that URL in the BIMI record."));
		}
		catch (RuntimeException ex) {
			return List.of(new Problem(
					"The " + what + " was not fetched from " + url + ": "
							+ CheckedAddresses.reason(Exceptions.unwrap(ex), TIMEOUT) + ".",
					"Serve the " + what + " at this URL over HTTPS, without redirections."));
		}
	}

	private static URI uri(String url) throws URISyntaxException {
		URI uri = new URI(url);
		if (!"https".equalsIgnoreCase(uri.getScheme()) || uri.getHost() == null || uri.getUserInfo() != null) {
			throw new URISyntaxException(url, "No URL of a file over HTTPS");
		}
		return uri;
	}

	private byte[] fetch(URI uri, int max) {
		return Objects.requireNonNull(this.client.get()
			.uri(uri)
			.response((response, content) -> body(response, content, max))
			.next()
			.timeout(TIMEOUT)
			.block());
	}

	private static Mono<byte[]> body(HttpClientResponse response, ByteBufFlux content, int max) {
		if (response.status().code() != OK) {
			return Mono.error(new IOException("the response was " + response.status().code()));
		}
		return content.asByteArray().reduceWith(ByteArrayOutputStream::new, (all, part) -> {
			if (all.size() + part.length > max) {
				throw Exceptions.propagate(new IOException("it has more than " + max / 1024 + " KB"));
			}
			all.writeBytes(part);
			return all;
		}).map(ByteArrayOutputStream::toByteArray);
	}

}
