package dev.mailroom.http;

import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.mailroom.Bounded;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.timeout.ReadTimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Hooks;
import reactor.netty.channel.AbortedException;
import reactor.netty.http.server.HttpServer;

import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

/** Applies the limits to the server of an app. */
@Component
class ServerConnections implements Bounded, WebServerFactoryCustomizer<NettyReactiveWebServerFactory> {

	private static final Logger log = LoggerFactory.getLogger(ServerConnections.class);

	static {
		Hooks.onErrorDropped(ServerConnections::logDropped);
	}

	private final ConnectionSettings settings;

	private final OpenConnections open;

	ServerConnections(ConnectionSettings settings) {
		this.settings = settings;
		this.open = new OpenConnections(settings.connections(), settings.connectionsEach());
	}

	/** None if the number of connections is not limited. */
	@Override
	public List<Limit> limits() {
		return (this.settings.connections() == 0) ? List.of()
				: List.of(new Limit("http_connections", this.open::open, this.settings.connections()));
	}

	@Override
	public void customize(NettyReactiveWebServerFactory factory) {
		factory.addServerCustomizers(this::limited);
	}

	private HttpServer limited(HttpServer server) {
		return server.idleTimeout(this.settings.idleTimeout())
			.readTimeout(this.settings.readTimeout())
			.requestTimeout(this.settings.requestTimeout())
			.doOnChannelInit((_, channel, _) -> addHandlers(channel.pipeline()));
	}

	private void addHandlers(ChannelPipeline pipeline) {
		pipeline.addFirst(new StalledReader(this.settings.writeTimeout().toMillis(), TimeUnit.MILLISECONDS,
				StalledReader.MIN_RATE));
		pipeline.addFirst(this.open.handler());
	}

	/**
	 * Logs an error that occurred after its operation had ended. The end of a slow or
	 * closed connection is reported a second time in this way.
	 */
	private static void logDropped(Throwable error) {
		if (error instanceof ReadTimeoutException || AbortedException.isConnectionReset(error)) {
			log.debug("A connection ended: {}", error.toString());
		}
		else {
			log.error("An error occurred after its operation had ended", error);
		}
	}

}
