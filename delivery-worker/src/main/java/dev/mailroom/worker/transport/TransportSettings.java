package dev.mailroom.worker.transport;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Which way mail goes.
 *
 * @param transport where neither its domain nor its account chooses: relay or mx
 */
@ConfigurationProperties("mailroom")
record TransportSettings(@DefaultValue("relay") String transport) {
}
