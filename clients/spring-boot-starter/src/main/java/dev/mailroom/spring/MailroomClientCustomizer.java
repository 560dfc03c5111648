package dev.mailroom.spring;

import dev.mailroom.sdk.Mailroom;

/** Changes the settings of the client, for example its HTTP client. */
@FunctionalInterface
public interface MailroomClientCustomizer {

	/** Changes the settings. */
	void customize(Mailroom.Builder builder);

}
