package dev.mailroom.accept;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How much may wait to be committed.
 *
 * @param queue mails that may wait
 * @param bytes bytes that may wait
 * @param group mails that one transaction takes at the most
 * @param loops transactions under way at a time
 */
@ConfigurationProperties("mailroom.accept")
record CommitSettings(@DefaultValue("4096") int queue, @DefaultValue("268435456") long bytes,
		@DefaultValue("500") int group, @DefaultValue("2") int loops) {

	/** Mails that one account may have waiting. */
	int share() {
		return this.queue / 2;
	}

	/** Bytes that one account may have waiting. */
	long bytesShare() {
		return this.bytes / 2;
	}

}
