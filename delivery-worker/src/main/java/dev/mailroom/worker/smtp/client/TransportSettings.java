package dev.mailroom.worker.smtp.client;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Default transport.
 *
 * @param transport relay or mx; used if neither the domain nor the account chooses one
 */
@ConfigurationProperties("mailroom")
record TransportSettings(@DefaultValue("relay") String transport) {
}
