package dev.mailroom.api.docs;

import java.time.Duration;

import org.springframework.http.CacheControl;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.config.ResourceHandlerRegistry;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.resource.EncodedResourceResolver;

/** Scripts and fonts of the reference page, compressed at build time. */
@Component
class DocsAssets implements WebFluxConfigurer {

	@Override
	public void addResourceHandlers(ResourceHandlerRegistry registry) {
		registry.addResourceHandler("/docs/assets/**")
			.addResourceLocations("classpath:/docs/assets/")
			.setCacheControl(CacheControl.maxAge(Duration.ofMinutes(5)).cachePublic())
			.resourceChain(true)
			.addResolver(new EncodedResourceResolver());
	}

}
