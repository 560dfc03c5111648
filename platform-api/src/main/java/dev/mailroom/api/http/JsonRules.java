package dev.mailroom.api.http;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.PropertyName;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedParameter;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;
import tools.jackson.databind.type.LogicalType;

import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.stereotype.Component;

/**
 * JSON settings of the API. Requests may use snake case or camel case for every field,
 * responses use snake case. A value of the wrong type is refused and never converted.
 * Times are written in UTC with milliseconds.
 */
@Component
class JsonRules implements JsonMapperBuilderCustomizer {

	private static final Pattern WORD_START = Pattern.compile("_([a-z0-9])");

	@Override
	public void customize(JsonMapper.Builder builder) {
		builder.propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
			.annotationIntrospector(new EitherCase())
			.disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
			.withCoercionConfig(LogicalType.Textual,
					(texts) -> texts.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
						.setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
						.setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
			.addModule(new SimpleModule().addSerializer(Instant.class, new Milliseconds()));
	}

	/**
	 * Accepts each component of a record, and each of its aliases, in snake case and in
	 * camel case.
	 */
	private static final class EitherCase extends JacksonAnnotationIntrospector {

		@Override
		public @Nullable List<PropertyName> findPropertyAliases(MapperConfig<?> config, Annotated annotated) {
			@Nullable List<PropertyName> aliases = super.findPropertyAliases(config, annotated);
			if (annotated instanceof AnnotatedParameter parameter && parameter.getDeclaringClass().isRecord()) {
				String name = parameter.getDeclaringClass().getRecordComponents()[parameter.getIndex()].getName();
				Stream<String> declared = (aliases != null) ? aliases.stream().map(PropertyName::getSimpleName)
						: Stream.empty();
				return Stream.concat(Stream.of(name), declared)
					.flatMap((alias) -> Stream.of(
							PropertyNamingStrategies.SNAKE_CASE.nameForConstructorParameter(config, parameter, alias),
							camelCase(alias)))
					.distinct()
					.map(PropertyName::construct)
					.toList();
			}
			return aliases;
		}

		private static String camelCase(String name) {
			return WORD_START.matcher(name).replaceAll((start) -> start.group(1).toUpperCase(Locale.ROOT));
		}

	}

	private static final class Milliseconds extends StdSerializer<Instant> {

		private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'")
			.withZone(ZoneOffset.UTC);

		Milliseconds() {
			super(Instant.class);
		}

		@Override
		public void serialize(Instant value, JsonGenerator generator, SerializationContext context) {
			generator.writeString(FORMAT.format(value));
		}

	}

}
