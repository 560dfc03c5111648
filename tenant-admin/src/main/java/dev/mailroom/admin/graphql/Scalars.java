package dev.mailroom.admin.graphql;

import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Function;

import dev.mailroom.EmailAddress;
import graphql.GraphQLContext;
import graphql.execution.CoercedVariables;
import graphql.language.IntValue;
import graphql.language.StringValue;
import graphql.language.Value;
import graphql.schema.Coercing;
import graphql.schema.CoercingParseLiteralException;
import graphql.schema.CoercingParseValueException;
import graphql.schema.GraphQLScalarType;

/** The scalar types of the schema. */
final class Scalars {

	private static final DateTimeFormatter MILLISECONDS = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'")
		.withZone(ZoneOffset.UTC);

	static final GraphQLScalarType DATE_TIME = text("DateTime",
			"A time, ISO 8601 with an offset; responses use UTC and milliseconds.",
			(value) -> (value instanceof Instant time) ? MILLISECONDS.format(time) : value.toString(),
			(text) -> OffsetDateTime.parse(text).toInstant());

	static final GraphQLScalarType UUID_TYPE = text("UUID", "An id: a UUID (RFC 9562) in its canonical form.",
			Object::toString, Scalars::uuid);

	static final GraphQLScalarType EMAIL_ADDRESS = text("EmailAddress",
			"A mailbox address of an SMTP envelope (RFC 5321 4.1.2), without a display name. Inputs take addresses as "
					+ "text: an invalid one is among the userErrors with its field.",
			Object::toString,
			(text) -> EmailAddress.parse(text.strip())
				.orElseThrow(() -> new IllegalArgumentException("not an e-mail address"))
				.toString());

	static final GraphQLScalarType LONG = GraphQLScalarType.newScalar()
		.name("Long")
		.description("A whole number of 64 bits.")
		.coercing(new LongCoercing())
		.build();

	static final GraphQLScalarType JSON = GraphQLScalarType.newScalar()
		.name("JSON")
		.description("Any JSON value.")
		.coercing(new JsonCoercing())
		.build();

	private Scalars() {
	}

	private static <T> GraphQLScalarType text(String name, String description, Function<Object, String> format,
			Function<String, T> parse) {
		return GraphQLScalarType.newScalar()
			.name(name)
			.description(description)
			.coercing(new TextCoercing<>(name, format, parse))
			.build();
	}

	private static UUID uuid(String text) {
		UUID id = UUID.fromString(text);
		if (!id.toString().equalsIgnoreCase(text)) {
			throw new IllegalArgumentException("not the canonical form");
		}
		return id;
	}

	/** A value that is a string in JSON. */
	private record TextCoercing<T>(String name, Function<Object, String> format,
			Function<String, T> parse) implements Coercing<T, String> {

		@Override
		public String serialize(Object value, GraphQLContext context, Locale locale) {
			return this.format.apply(value);
		}

		@Override
		public T parseValue(Object input, GraphQLContext context, Locale locale) {
			// Defaults of arguments may have been converted before.
			String text = (input instanceof String given) ? given : this.format.apply(input);
			try {
				return this.parse.apply(text);
			}
			catch (IllegalArgumentException | DateTimeException _) {
				throw new CoercingParseValueException("The value is not a valid " + this.name);
			}
		}

		@Override
		public T parseLiteral(Value<?> input, CoercedVariables variables, GraphQLContext context, Locale locale) {
			if (input instanceof StringValue text && text.getValue() != null) {
				try {
					return this.parse.apply(text.getValue());
				}
				catch (IllegalArgumentException | DateTimeException _) {
					// Refused below, like a value of another type.
				}
			}
			throw new CoercingParseLiteralException("The value is not a valid " + this.name);
		}

	}

	private static final class LongCoercing implements Coercing<Long, Long> {

		@Override
		public Long serialize(Object value, GraphQLContext context, Locale locale) {
			return ((Number) value).longValue();
		}

		@Override
		public Long parseValue(Object input, GraphQLContext context, Locale locale) {
			return switch (input) {
				case Integer number -> number.longValue();
				case Long number -> number;
				case BigInteger number when number.bitLength() < Long.SIZE -> number.longValue();
				default -> throw new CoercingParseValueException("The value is not a whole number of 64 bits");
			};
		}

		@Override
		public Long parseLiteral(Value<?> input, CoercedVariables variables, GraphQLContext context, Locale locale) {
			if (input instanceof IntValue number && number.getValue().bitLength() < Long.SIZE) {
				return number.getValue().longValue();
			}
			throw new CoercingParseLiteralException("The value is not a whole number of 64 bits");
		}

	}

}
