package dev.mailroom.api.http;

import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.converter.GenericConverter;
import org.springframework.format.FormatterRegistry;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.stereotype.Component;
import org.springframework.util.unit.DataSize;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.config.PathMatchConfigurer;
import org.springframework.web.reactive.config.WebFluxConfigurer;

/** WebFlux settings: path prefix, maximum size of bodies and parsing of ids in paths. */
@Component
class WebRules implements WebFluxConfigurer {

	private static final int MAX_BODY_BYTES = (int) DataSize.ofMegabytes(25).toBytes();

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
		registry.addConverter(new IdParsing());
	}

	/**
	 * Parses ids: a malformed one is treated as unknown in a path, and refused elsewhere.
	 */
	private static final class IdParsing implements GenericConverter {

		/** An id that no resource has. */
		private static final UUID UNKNOWN_ID = new UUID(0, 0);

		@Override
		public Set<ConvertiblePair> getConvertibleTypes() {
			return Set.of(new ConvertiblePair(String.class, UUID.class));
		}

		@Override
		public Object convert(@Nullable Object text, TypeDescriptor source, TypeDescriptor target) {
			Optional<UUID> id = Ids.read((String) text);
			if (id.isEmpty() && !target.hasAnnotation(PathVariable.class)) {
				throw new IllegalArgumentException("Not an id");
			}
			return id.orElse(UNKNOWN_ID);
		}

	}

}
