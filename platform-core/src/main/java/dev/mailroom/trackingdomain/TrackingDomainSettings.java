package dev.mailroom.trackingdomain;

import java.net.URI;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.mailroom.WrongSetting;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of tracking domains.
 *
 * @param trackingHost host to which the CNAME records of tenants lead; empty if there are
 * no tracking domains
 * @param mxHost host that MX records of tenants name
 * @param publicUrl public base URL of the API
 * @param appUrl public base URL of the web app
 */
@ConfigurationProperties("mailroom")
record TrackingDomainSettings(@DefaultValue("") String trackingHost,
		@DefaultValue("mx.mailroom.localhost") String mxHost, @DefaultValue("http://localhost:8080") String publicUrl,
		@DefaultValue("http://localhost:8081") String appUrl) {

	TrackingDomainSettings {
		trackingHost = trackingHost.strip().toLowerCase(Locale.ROOT);
		mxHost = mxHost.strip().toLowerCase(Locale.ROOT);
		if (!trackingHost.isEmpty() && !trackingHost.matches("([a-z0-9]([a-z0-9-]*[a-z0-9])?\\.)+[a-z0-9-]+")) {
			throw new WrongSetting("MAILROOM_TRACKING_HOST", trackingHost, "a host name, such as links.example.com");
		}
	}

	boolean isConfigured() {
		return !this.trackingHost.isEmpty();
	}

	/** Hosts of this installation itself. */
	Set<String> own() {
		return Stream.of(this.trackingHost, host(this.publicUrl), host(this.appUrl))
			.filter((host) -> !host.isEmpty())
			.collect(Collectors.toUnmodifiableSet());
	}

	private static String host(String url) {
		return Objects.requireNonNullElse(URI.create(url).getHost(), "").toLowerCase(Locale.ROOT);
	}

}
