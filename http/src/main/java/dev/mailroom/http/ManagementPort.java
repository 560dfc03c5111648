package dev.mailroom.http;

import java.time.Duration;

import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextType;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.web.server.WebFilter;

/**
 * Limits the clients of a port for health and metrics. It applies to each app that has
 * one beside its own port; an app whose only port it is imports this class.
 */
@ManagementContextConfiguration(value = ManagementContextType.CHILD, proxyBeanMethods = false)
public class ManagementPort {

	/** Monitoring has few clients, and their requests have no body. */
	private static final ConnectionSettings LIMITS = new ConnectionSettings(100, 0, Duration.ofSeconds(60),
			Duration.ofSeconds(30), Duration.ofMinutes(1), Duration.ofSeconds(30));

	@Bean
	WebFilter localManagementFilter() {
		return new LocalManagement();
	}

	@Bean
	WebServerFactoryCustomizer<NettyReactiveWebServerFactory> managementConnections() {
		return new ServerConnections(LIMITS);
	}

}
