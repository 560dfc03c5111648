package dev.mailroom.account;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the throttle.
 *
 * @param enabled false for benchmarks and load tests
 */
@ConfigurationProperties("mailroom.rate-limit")
record ThrottleSettings(@DefaultValue("true") boolean enabled) {
}
