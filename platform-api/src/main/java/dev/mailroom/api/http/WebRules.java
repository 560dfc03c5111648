package dev.mailroom.api.http;

import java.util.UUID;

import org.springframework.core.convert.converter.Converter;
import org.springframework.format.FormatterRegistry;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.stereotype.Component;
import org.springframework.util.unit.DataSize;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.config.PathMatchConfigurer;
import org.springframework.web.reactive.config.WebFluxConfigurer;

/** Where routes stand, how much a body may have, and what an id in a path is. */
@Component
class WebRules implements WebFluxConfigurer {

	private static final int LARGEST_BODY = (int) DataSize.ofMegabytes(25).toBytes();

	/** Nobody has it: what is asked for under it is not found. */
	private static final UUID NOBODYS = new UUID(0, 0);

	@Override
	public void configurePathMatching(PathMatchConfigurer configurer) {
		configurer.addPathPrefix("/api",
				(type) -> type.isAnnotationPresent(RestController.class) && !type.isAnnotationPresent(AtRoot.class));
	}

	@Override
	public void configureHttpMessageCodecs(ServerCodecConfigurer configurer) {
		configurer.defaultCodecs().maxInMemorySize(LARGEST_BODY);
	}

	@Override
	public void addFormatters(FormatterRegistry registry) {
		registry.addConverter(new Converter<String, UUID>() {
			@Override
			public UUID convert(String text) {
				return id(text);
			}
		});
	}

	/** A malformed id is an id that nobody has. */
	static UUID id(String text) {
		return Ids.read(text).orElse(NOBODYS);
	}

}
