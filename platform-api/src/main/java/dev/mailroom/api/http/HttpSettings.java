package dev.mailroom.api.http;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How the API is reached from outside, and how much it takes at a time.
 *
 * @param publicUrl its address, without a slash at the end
 * @param inFlightBytes bytes of request bodies that an instance holds at a time
 */
@ConfigurationProperties("mailroom")
record HttpSettings(@DefaultValue("http://localhost:8080") String publicUrl,
		@DefaultValue("67108864") long inFlightBytes) {
}
