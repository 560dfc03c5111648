package dev.mailroom.api.tracking;

import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Locale;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.trackingdomain.Certificates;
import dev.mailroom.trackingdomain.TrackingNames;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.netty.tcp.SslProvider;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServer;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.stereotype.Component;

/**
 * Listener for HTTPS below tracking domains, with the certificates that this installation
 * has ordered. The name in the handshake (SNI) selects one; a handshake without a known
 * name fails.
 */
@Component
class TrackingTls implements SmartLifecycle {

	private static final Logger log = LoggerFactory.getLogger(TrackingTls.class);

	private static final int MAX_CACHED = 10_000;

	/** Limits the delay with which a renewed certificate is served. */
	private static final Duration CACHED_FOR = Duration.ofMinutes(10);

	private final AcmeSettings settings;

	private final Certificates certificates;

	private final TrackingNames names;

	private final ObjectProvider<HttpHandler> handler;

	private final ObjectProvider<WebServerFactoryCustomizer<NettyReactiveWebServerFactory>> limits;

	private final Cache<String, SslProvider> cache = Caffeine.newBuilder()
		.maximumSize(MAX_CACHED)
		.expireAfterWrite(CACHED_FOR)
		.build();

	private volatile @Nullable WebServer server;

	TrackingTls(AcmeSettings settings, Certificates certificates, TrackingNames names,
			ObjectProvider<HttpHandler> handler,
			ObjectProvider<WebServerFactoryCustomizer<NettyReactiveWebServerFactory>> limits) {
		this.settings = settings;
		this.certificates = certificates;
		this.names = names;
		this.handler = handler;
		this.limits = limits;
	}

	@Override
	public void start() {
		if (!this.settings.isConfigured()) {
			return;
		}
		NettyReactiveWebServerFactory factory = new NettyReactiveWebServerFactory(this.settings.port());
		if (!this.settings.address().isEmpty()) {
			factory.setAddress(InetAddress.ofLiteral(this.settings.address()));
		}
		SslContext none = withoutCertificate();
		this.limits.orderedStream().forEach((limit) -> limit.customize(factory));
		factory.addServerCustomizers((server) -> server
			.secure((tls) -> tls.sslContext(none).setSniAsyncMappings(this::select))
			.doOnChannelInit((_, channel, _) -> channel.pipeline().addFirst(new TlsChallengeHandler(this::challenge))));
		WebServer started = factory.getWebServer(this.handler.getObject());
		started.start();
		this.server = started;
		log.info("Tracking domains are served over HTTPS on port {}", started.getPort());
	}

	@Override
	public void stop() {
		@Nullable WebServer running = this.server;
		if (running != null) {
			running.stop();
			this.server = null;
		}
	}

	@Override
	public boolean isRunning() {
		return this.server != null;
	}

	/** The port; for the tests. */
	int port() {
		@Nullable WebServer running = this.server;
		return (running != null) ? running.getPort() : -1;
	}

	private Future<SslProvider> select(@Nullable String host, Promise<SslProvider> promise) {
		String name = (host != null) ? host.toLowerCase(Locale.ROOT) : "";
		@Nullable SslProvider known = this.cache.getIfPresent(name);
		if (known != null) {
			return promise.setSuccess(known);
		}
		this.names.owners(name)
			.filter((owners) -> !owners.isEmpty())
			.flatMap((_) -> this.certificates.find(name))
			.flatMap((found) -> Mono.fromCallable(() -> provider(found)))
			.doOnNext((provider) -> this.cache.put(name, provider))
			.switchIfEmpty(Mono.error(() -> new SSLHandshakeException("There is no certificate for this name")))
			.subscribe(promise::trySuccess, promise::tryFailure);
		return promise;
	}

	/** The context for an authority that proves a name; empty if no order does. */
	private Mono<SslContext> challenge(String name) {
		return this.names.owners(name)
			.filter((owners) -> !owners.isEmpty())
			.flatMap((_) -> this.certificates.challenge(name))
			.flatMap(
					(certificate) -> Mono.fromCallable(() -> context(certificate)
						.applicationProtocolConfig(
								new ApplicationProtocolConfig(Protocol.ALPN, SelectorFailureBehavior.NO_ADVERTISE,
										SelectedListenerFailureBehavior.ACCEPT, TlsChallengeHandler.PROTOCOL))
						.build()));
	}

	private static SslProvider provider(Certificates.Certificate certificate)
			throws CertificateException, SSLException {
		return SslProvider.builder().sslContext(context(certificate).build()).build();
	}

	private static SslContextBuilder context(Certificates.Certificate certificate) throws CertificateException {
		X509Certificate[] chain = CertificateFactory.getInstance("X.509")
			.generateCertificates(new ByteArrayInputStream(certificate.chain().getBytes(StandardCharsets.US_ASCII)))
			.toArray(X509Certificate[]::new);
		return SslContextBuilder.forServer(certificate.key(), chain);
	}

	/** The context before a name is known. */
	private static SslContext withoutCertificate() {
		try {
			KeyStore empty = KeyStore.getInstance("PKCS12");
			empty.load(null, null);
			KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
			keys.init(empty, new char[0]);
			return SslContextBuilder.forServer(keys).build();
		}
		catch (Exception ex) {
			throw new IllegalStateException("TLS cannot be used", ex);
		}
	}

}
