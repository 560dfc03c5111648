package dev.mailroom.api.connection;

import java.util.concurrent.TimeUnit;

import dev.mailroom.api.http.ErrorWriter;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import reactor.netty.NettyPipeline;
import reactor.netty.http.server.HttpServer;

import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

/** Applies the limits to the server of the API. */
@Component
class ServerConnections implements WebServerFactoryCustomizer<NettyReactiveWebServerFactory> {

	private final ConnectionSettings settings;

	private final ErrorWriter errors;

	private final OpenConnections open;

	ServerConnections(ConnectionSettings settings, ErrorWriter errors) {
		this.settings = settings;
		this.errors = errors;
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
			.doOnChannelInit((_, channel, _) -> addHandlers(channel));
	}

	private void addHandlers(Channel channel) {
		ChannelPipeline pipeline = channel.pipeline();
		pipeline.addFirst(new StalledReader(this.settings.writeTimeout().toMillis(), TimeUnit.MILLISECONDS));
		pipeline.addFirst(this.open.handler());
		if (pipeline.get(NettyPipeline.HttpCodec) != null) {
			pipeline.addAfter(NettyPipeline.HttpCodec, null, new UnreadableRequests(this.errors));
		}
	}

}
