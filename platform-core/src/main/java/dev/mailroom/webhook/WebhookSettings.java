package dev.mailroom.webhook;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where endpoints may be.
 *
 * @param loopback whether they may be on this machine, and without TLS then: the
 * standalone only
 */
@ConfigurationProperties("mailroom.webhook")
record WebhookSettings(@DefaultValue("false") boolean loopback) {
}
