package dev.mailroom.tracking;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of links in mails.
 *
 * @param publicUrl public base URL of the API, without a trailing slash
 */
@ConfigurationProperties("mailroom")
record TrackingSettings(@DefaultValue("http://localhost:8080") String publicUrl) {
}
