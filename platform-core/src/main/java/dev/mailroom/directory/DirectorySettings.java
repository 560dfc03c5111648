package dev.mailroom.directory;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the directory of cells.
 *
 * @param url address of its database; empty for none
 * @param password password of the cell's role in it
 */
@ConfigurationProperties("mailroom.directory")
record DirectorySettings(@DefaultValue("") String url, @DefaultValue("") String password) {
}
