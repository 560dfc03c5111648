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

/** WebFlux settings: path prefix, maximum size of bodies and parsing of ids in paths. */
@Component
class WebRules implements WebFluxConfigurer {

	private static final int MAX_BODY_BYTES = (int) DataSize.ofMegabytes(25).toBytes();

	/** An id that no resource has, so that the lookup finds nothing. */
	private static final UUID UNKNOWN_ID = new UUID(0, 0);

	@Override
	public void configurePathMatching(PathMatchConfigurer configurer) {
		configurer.addPathPrefix("/api",
				(type) -> type.isAnnotationPresent(RestController.class) && !type.isAnnotationPresent(AtRoot.class));
	}

	@Override
	public void configureHttpMessageCodecs(ServerCodecConfigurer configurer) {
		configurer.defaultCodecs().maxInMemorySize(MAX_BODY_BYTES);
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

	/** Parses an id; a malformed one is treated as unknown. */
	static UUID id(String text) {
		return Ids.read(text).orElse(UNKNOWN_ID);
	}

}
