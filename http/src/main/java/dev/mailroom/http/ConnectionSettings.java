package dev.mailroom.http;

import java.time.Duration;

import dev.mailroom.Allowed;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Limits on the connections to the HTTP port of an app. The limits of time are properties
 * for tests, without environment variables.
 *
 * @param connections open connections; 0 for no limit
 * @param connectionsEach open connections from one address, or from one /64 of IPv6; 0
 * for no limit
 * @param idleTimeout time for the head of a request
 * @param readTimeout time between two pieces of a request body
 * @param requestTimeout time for a whole request body
 * @param writeTimeout time within which a client must read a part of its response, and
 * after which it has to read 16 KB a second on average
 */
@ConfigurationProperties("mailroom.http")
record ConnectionSettings(@DefaultValue("10000") @Allowed(from = "1", to = "1000000", or = "0") int connections,
		@DefaultValue("1000") @Allowed(from = "1", to = "1000000", or = "0") int connectionsEach,
		@DefaultValue("60s") Duration idleTimeout, @DefaultValue("30s") Duration readTimeout,
		@DefaultValue("10m") Duration requestTimeout, @DefaultValue("30s") Duration writeTimeout) {
}
