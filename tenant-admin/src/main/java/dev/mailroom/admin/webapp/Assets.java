package dev.mailroom.admin.webapp;

import java.time.Duration;

import org.springframework.context.annotation.Configuration;
import org.springframework.http.CacheControl;
import org.springframework.web.reactive.config.ResourceHandlerRegistry;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.resource.EncodedResourceResolver;
import org.springframework.web.reactive.resource.PathResourceResolver;

/**
 * Serves the files of the web app, compressed if the client accepts it. The names of
 * files in {@code assets} contain a hash of their content: a file never changes.
 */
@Configuration(proxyBeanMethods = false)
class Assets implements WebFluxConfigurer {

	/** Directory of the built web app on the class path. */
	static final String DIRECTORY = "webapp/";

	private static final Duration YEAR = Duration.ofDays(365);

	/** Before the page, which is mapped to all paths. */
	private static final int ORDER = -2;

	@Override
	public void addResourceHandlers(ResourceHandlerRegistry registry) {
		registry.setOrder(ORDER);
		add(registry, CacheControl.maxAge(YEAR).cachePublic().immutable(), "assets/", "/assets/**");
		add(registry, CacheControl.noCache(), "", "/theme.js", "/icon.svg");
	}

	private static void add(ResourceHandlerRegistry registry, CacheControl cache, String directory, String... paths) {
		registry.addResourceHandler(paths)
			.addResourceLocations("classpath:/" + DIRECTORY + directory)
			.setCacheControl(cache)
			.resourceChain(true)
			.addResolver(new EncodedResourceResolver())
			.addResolver(new PathResourceResolver());
	}

}
