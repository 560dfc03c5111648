package dev.mailroom.api.account;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where people open the links in mails.
 *
 * @param appUrl the web app's address, without a slash at the end
 */
@ConfigurationProperties("mailroom")
record AccountMailSettings(@DefaultValue("http://localhost:8081") String appUrl) {
}
