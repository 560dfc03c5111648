package dev.mailroom.http;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Configuration of an app that serves clients over HTTP. A request passes, in this order:
 * the limits of {@link ServerConnections}, {@link RequestIds}, {@link ClientNetworks},
 * the app's {@link BearerAuthentication}, its limit of {@link AccountRates} and of
 * {@link BodyMemory}, and {@link ResponseMemory}. The app supplies an
 * {@link ErrorConversion} and {@link ResponseSizes}.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({ ConnectionSettings.class, MemorySettings.class, RateSettings.class })
@Import({ AccountRates.class, BodyMemory.class, ClientNetworks.class, ErrorWriter.class, Notices.class,
		RequestIds.class, ResponseMemory.class, ServerConnections.class, TracedRequestId.class,
		UnreadableRequests.class })
public class WebApp {

}
