package dev.mailroom.admin.graphql;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import graphql.GraphQLContext;
import graphql.execution.CoercedVariables;
import graphql.language.ArrayValue;
import graphql.language.BooleanValue;
import graphql.language.EnumValue;
import graphql.language.FloatValue;
import graphql.language.IntValue;
import graphql.language.ObjectValue;
import graphql.language.StringValue;
import graphql.language.Value;
import graphql.language.VariableReference;
import graphql.schema.Coercing;
import graphql.schema.CoercingParseLiteralException;
import org.jspecify.annotations.Nullable;

/** Conversion of JSON values: maps, lists, texts, numbers and truth values. */
final class JsonCoercing implements Coercing<Object, Object> {

	@Override
	public Object serialize(Object value, GraphQLContext context, Locale locale) {
		return value;
	}

	@Override
	public Object parseValue(Object input, GraphQLContext context, Locale locale) {
		return input;
	}

	@Override
	public @Nullable Object parseLiteral(Value<?> input, CoercedVariables variables, GraphQLContext context,
			Locale locale) {
		return switch (input) {
			case StringValue text -> text.getValue();
			case BooleanValue truth -> truth.isValue();
			case IntValue number -> number.getValue().longValue();
			case FloatValue number -> number.getValue().doubleValue();
			case EnumValue name -> name.getName();
			case VariableReference variable -> variables.get(variable.getName());
			case ArrayValue array -> {
				List<@Nullable Object> list = new ArrayList<>();
				array.getValues().forEach((each) -> list.add(parseLiteral(each, variables, context, locale)));
				yield list;
			}
			case ObjectValue object -> {
				Map<String, @Nullable Object> map = new LinkedHashMap<>();
				object.getObjectFields()
					.forEach((field) -> map.put(field.getName(),
							parseLiteral(field.getValue(), variables, context, locale)));
				yield map;
			}
			default -> throw new CoercingParseLiteralException("The value is not JSON");
		};
	}

}
