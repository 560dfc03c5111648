package dev.mailroom.spring;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/** Address and credential of a Mailroom server. A bean of it replaces the properties. */
public interface MailroomConnectionDetails extends ConnectionDetails {

	/** Returns the address of the API; null for that in MAILROOM_URL. */
	@Nullable String getUrl();

	/** Returns the API key; null for that in MAILROOM_API_KEY. */
	@Nullable String getApiKey();

}
