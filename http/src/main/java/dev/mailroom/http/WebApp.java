package dev.mailroom.http;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Limits the clients of the HTTP port of an app that imports this class. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ConnectionSettings.class)
@Import({ ClientNetworks.class, ServerConnections.class })
public class WebApp {

}
