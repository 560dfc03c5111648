package dev.mailroom.api.security;

import java.util.List;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Origins whose pages may call the API from a browser.
 *
 * @param origins origins as scheme, host and port; none by default
 */
@ConfigurationProperties("mailroom.cors")
record CorsSettings(@DefaultValue List<String> origins) {
}
