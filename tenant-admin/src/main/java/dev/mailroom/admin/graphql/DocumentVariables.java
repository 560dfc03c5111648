package dev.mailroom.admin.graphql;

import java.math.BigInteger;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import graphql.language.Document;
import graphql.language.IntValue;
import graphql.language.NullValue;
import graphql.language.OperationDefinition;
import graphql.language.Value;
import graphql.language.VariableReference;
import org.jspecify.annotations.Nullable;

/**
 * Values of arguments before a document is validated: those in the document, and of
 * variables the values that were sent or the defaults that an operation declares.
 */
final class DocumentVariables {

	/** Larger numbers count as this one. */
	private static final BigInteger MAX_NUMBER = BigInteger.valueOf(Integer.MAX_VALUE);

	private final Map<String, Object> sent;

	/** Variables with a default. */
	private final Set<String> defaults = new HashSet<>();

	/** Defaults that are whole numbers; of several operations the largest. */
	private final Map<String, Long> numbers = new HashMap<>();

	DocumentVariables(Document document, Map<String, Object> sent) {
		this.sent = sent;
		document.getDefinitionsOfType(OperationDefinition.class)
			.stream()
			.flatMap((operation) -> operation.getVariableDefinitions().stream())
			.forEach((variable) -> declare(variable.getName(), variable.getDefaultValue()));
	}

	private void declare(String name, @Nullable Value<?> value) {
		if (value != null && !(value instanceof NullValue)) {
			this.defaults.add(name);
		}
		if (value instanceof IntValue number) {
			this.numbers.merge(name, limited(number), Math::max);
		}
	}

	/** Whether a value is not null. */
	boolean isPresent(Value<?> value) {
		return switch (value) {
			case NullValue _ -> false;
			case VariableReference variable -> this.sent.containsKey(variable.getName())
					? this.sent.get(variable.getName()) != null : this.defaults.contains(variable.getName());
			default -> true;
		};
	}

	/** A value that is a whole number; empty for any other. */
	Optional<Long> number(Value<?> value) {
		return switch (value) {
			case IntValue number -> Optional.of(limited(number));
			case VariableReference variable when this.sent.containsKey(variable.getName()) ->
				(this.sent.get(variable.getName()) instanceof Number number) ? Optional.of(number.longValue())
						: Optional.empty();
			case VariableReference variable -> Optional.ofNullable(this.numbers.get(variable.getName()));
			default -> Optional.empty();
		};
	}

	private static long limited(IntValue number) {
		return number.getValue().min(MAX_NUMBER).longValue();
	}

}
