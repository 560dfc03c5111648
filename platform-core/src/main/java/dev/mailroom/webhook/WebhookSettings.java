package dev.mailroom.webhook;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of webhook endpoints.
 *
 * @param loopback whether endpoints on loopback addresses are accepted, also without TLS;
 * on in the standalone only
 */
@ConfigurationProperties("mailroom.webhook")
record WebhookSettings(@DefaultValue("false") boolean loopback) {
}
