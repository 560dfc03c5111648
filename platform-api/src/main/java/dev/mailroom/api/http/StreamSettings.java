package dev.mailroom.api.http;

import java.time.Duration;

import dev.mailroom.Allowed;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of streams of events.
 *
 * @param duration time after which a stream ends; its client continues with another
 */
@ConfigurationProperties("mailroom.event-stream")
record StreamSettings(@DefaultValue("15m") @Allowed(from = "10ms", to = "1d") Duration duration) {
}
