package dev.mailroom.observability.connection;

import java.util.concurrent.TimeUnit;

import io.netty.channel.ChannelPipeline;
import reactor.netty.http.server.HttpServer;

import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

/** Applies the limits to the server of an app. */
@Component
class ServerConnections implements WebServerFactoryCustomizer<NettyReactiveWebServerFactory> {

	private final ConnectionSettings settings;

	private final OpenConnections open;

	ServerConnections(ConnectionSettings settings) {
		this.settings = settings;
		this.open = new OpenConnections(settings.connections(), settings.connectionsEach());
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
		pipeline.addFirst(new StalledReader(this.settings.writeTimeout().toMillis(), TimeUnit.MILLISECONDS));
		pipeline.addFirst(this.open.handler());
	}

}
