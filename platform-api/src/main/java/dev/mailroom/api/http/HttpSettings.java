package dev.mailroom.api.http;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the API.
 *
 * @param publicUrl the public address, without a trailing slash
 * @param inFlightBytes the maximum total size of request bodies in memory, in bytes
 */
@ConfigurationProperties("mailroom")
record HttpSettings(@DefaultValue("http://localhost:8080") String publicUrl,
		@DefaultValue("67108864") long inFlightBytes) {
}
