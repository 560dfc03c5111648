package dev.mailroom.api.http;

import io.netty.channel.ChannelPipeline;
import reactor.netty.NettyPipeline;

import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

/** Gives the responses of the HTTP server itself the form of the contract. */
@Component
class ServerResponses implements WebServerFactoryCustomizer<NettyReactiveWebServerFactory> {

	private final ErrorWriter errors;

	ServerResponses(ErrorWriter errors) {
		this.errors = errors;
	}

	@Override
	public void customize(NettyReactiveWebServerFactory factory) {
		factory.addServerCustomizers(
				(server) -> server.doOnChannelInit((_, channel, _) -> addHandler(channel.pipeline())));
	}

	private void addHandler(ChannelPipeline pipeline) {
		if (pipeline.get(NettyPipeline.HttpCodec) != null) {
			pipeline.addAfter(NettyPipeline.HttpCodec, null, new UnreadableRequests(this.errors));
		}
	}

}
