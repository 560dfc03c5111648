package dev.mailroom.api.http;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How the API is reached from outside.
 *
 * @param publicUrl its address, without a slash at the end
 */
@ConfigurationProperties("mailroom")
record HttpSettings(@DefaultValue("http://localhost:8080") String publicUrl) {
}
