package dev.mailroom.api.docs;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

import reactor.core.publisher.Mono;

import org.springframework.context.annotation.Bean;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.config.ResourceHandlerRegistration;
import org.springframework.web.reactive.config.ResourceHandlerRegistry;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.reactive.resource.EncodedResourceResolver;
import org.springframework.web.reactive.resource.HttpResource;
import org.springframework.web.reactive.resource.PathResourceResolver;

/**
 * Files of the site and of the reference page, compressed at build time. The names of
 * files in {@code static} contain a hash of their content: a file never changes.
 */
@Component
class DocsAssets implements WebFluxConfigurer {

	private static final CacheControl SHORT = CacheControl.maxAge(Duration.ofMinutes(5)).cachePublic();

	private static final CacheControl LONG = CacheControl.maxAge(Duration.ofDays(365)).cachePublic().immutable();

	private static final Map<String, MediaType> TYPES = Map.of("html",
			new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8), "md",
			new MediaType("text", "markdown", StandardCharsets.UTF_8), "txt",
			new MediaType(MediaType.TEXT_PLAIN, StandardCharsets.UTF_8));

	private final String policy;

	DocsAssets(Site site) {
		this.policy = site.policy();
	}

	@Override
	public void addResourceHandlers(ResourceHandlerRegistry registry) {
		add(registry, "docs/assets/", SHORT, "/docs/assets/**");
		add(registry, Site.DIRECTORY + "static/", LONG, "/docs/static/**");
		add(registry, Site.DIRECTORY, SHORT, "/docs/**", "/llms.txt", "/llms-full.txt");
	}

	/** The home has one address. */
	@Bean
	RouterFunction<ServerResponse> home() {
		return RouterFunctions.route()
			.GET("/docs/", (_) -> ServerResponse.permanentRedirect(URI.create("/docs")).build())
			.build();
	}

	private void add(ResourceHandlerRegistry registry, String directory, CacheControl cache, String... paths) {
		ResourceHandlerRegistration handler = registry.addResourceHandler(paths)
			.addResourceLocations("classpath:/" + directory)
			.setCacheControl(cache);
		handler.setMediaTypes(TYPES);
		handler.resourceChain(true).addResolver(new EncodedResourceResolver()).addResolver(new Files());
	}

	/** Finds files, and the page at an address without an ending. */
	private final class Files extends PathResourceResolver {

		@Override
		protected Mono<Resource> getResource(String path, Resource location) {
			return path.contains(".") ? super.getResource(path, location) : super.getResource(path + ".html", location)
				.map((page) -> new Page((ClassPathResource) page, DocsAssets.this.policy));
		}

	}

	/** A page with its content security policy. */
	private static final class Page extends ClassPathResource implements HttpResource {

		private final String policy;

		Page(ClassPathResource file, String policy) {
			super(file.getPath());
			this.policy = policy;
		}

		@Override
		public HttpHeaders getResponseHeaders() {
			HttpHeaders headers = new HttpHeaders();
			headers.set("Content-Security-Policy", this.policy);
			return headers;
		}

	}

}
