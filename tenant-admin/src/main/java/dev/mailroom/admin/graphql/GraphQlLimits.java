package dev.mailroom.admin.graphql;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Limits of the GraphQL endpoint. The limits of time are properties for tests, without
 * environment variables.
 *
 * @param deadline longest time that a query or a mutation may take
 * @param stallTimeout time after which a stream whose client takes nothing is ended
 * @param streamDuration time after which a stream ends
 * @param appUrl URL of the web app, whose pages may send requests
 */
@ConfigurationProperties("mailroom.graphql")
record GraphQlLimits(@DefaultValue("5s") Duration deadline, @DefaultValue("30s") Duration stallTimeout,
		@DefaultValue("15m") Duration streamDuration, @DefaultValue("") String appUrl) {
}
