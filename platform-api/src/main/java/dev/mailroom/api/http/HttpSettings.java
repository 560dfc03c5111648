package dev.mailroom.api.http;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the API.
 *
 * @param publicUrl the public address, without a trailing slash
 */
@ConfigurationProperties("mailroom")
record HttpSettings(@DefaultValue("http://localhost:8080") String publicUrl) {
}
