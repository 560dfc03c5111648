package dev.mailroom.tracking;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where the links in mails lead to.
 *
 * @param publicUrl the API's address from outside, without a slash at the end
 */
@ConfigurationProperties("mailroom")
record TrackingSettings(@DefaultValue("http://localhost:8080") String publicUrl) {
}
